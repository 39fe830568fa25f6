// SPDX-License-Identifier: MIT
#include <thalweg/backends/detail/pieces.hpp>

#include <algorithm>
#include <utility>

namespace thalweg::backends::detail {

Pieces::Pieces(std::size_t n_data, std::span<const Part> parts) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> begins;  // of pieces: datum, where
  for (std::uint32_t d = 0; d < n_data; ++d) begins.emplace_back(d, 0);
  for (const Part& p : parts) {
    if (p.begin != 0) begins.emplace_back(p.datum, p.begin);
    if (p.end != Part::no_end) begins.emplace_back(p.datum, p.end);
  }
  std::ranges::sort(begins);
  const auto repeated = std::ranges::unique(begins);
  begins.erase(repeated.begin(), repeated.end());
  for (const auto& [datum, begin] : begins) {
    if (first_.size() <= datum) first_.push_back(static_cast<std::uint32_t>(begin_.size()));
    begin_.push_back(begin);
  }
  first_.push_back(static_cast<std::uint32_t>(begin_.size()));
}

Pieces::Span Pieces::of(const Part& part) const {
  const auto own =
      std::span(begin_).subspan(first_[part.datum], first_[part.datum + 1] - first_[part.datum]);
  const auto at = [&](std::uint32_t bound) {
    return first_[part.datum] +
           static_cast<std::uint32_t>(std::ranges::lower_bound(own, bound) - own.begin());
  };
  return {at(part.begin), at(part.end)};
}

}  // namespace thalweg::backends::detail
