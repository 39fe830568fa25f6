// SPDX-License-Identifier: MIT
#include <thalweg/backends/detail/pieces.hpp>

#include <algorithm>
#include <utility>

namespace thalweg::backends::detail {

Pieces::Pieces(std::size_t n_data, std::span<const flow::Access> accesses) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> begins;  // of pieces: datum, where
  for (std::uint32_t d = 0; d < n_data; ++d) begins.emplace_back(d, 0);
  for (const flow::Access& a : accesses) {
    if (a.range.begin != 0) begins.emplace_back(a.datum(), a.range.begin);
    if (a.range.end != flow::Range::no_end) begins.emplace_back(a.datum(), a.range.end);
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

Pieces::Span Pieces::of(const flow::Access& access) const {
  const std::uint32_t first = first_[access.datum()];
  const auto own = std::span(begin_).subspan(first, first_[access.datum() + 1] - first);
  const auto at = [&](std::uint32_t bound) {
    return first + static_cast<std::uint32_t>(std::ranges::lower_bound(own, bound) - own.begin());
  };
  return {at(access.range.begin), at(access.range.end)};
}

}  // namespace thalweg::backends::detail
