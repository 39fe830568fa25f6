// SPDX-License-Identifier: MIT
#include <thalweg/core/cut.hpp>

#include <thalweg/core/contract.hpp>

namespace thalweg {

std::vector<std::size_t> cut_evenly(std::span<const std::int64_t> sizes, std::size_t n_parts) {
  THALWEG_EXPECT(n_parts > 0 && n_parts <= sizes.size(), "parts would be empty");
  std::int64_t total = 0;
  for (const std::int64_t n : sizes) total += n;

  std::vector<std::size_t> cuts{0};
  std::int64_t before = 0;  // sizes of items in front of `end`
  for (std::size_t part = 0, end = 0; part < n_parts; ++part) {
    const std::size_t last_end = sizes.size() - (n_parts - part - 1);  // leaves one for each part
    const auto parts = static_cast<std::int64_t>(n_parts);
    const auto is_nearer = [&](std::size_t i) {  // the middle of item i lies before the part's end
      return (2 * before + sizes[i]) * parts < 2 * total * static_cast<std::int64_t>(part + 1);
    };
    do {
      before += sizes[end];
      ++end;
    } while (end < last_end && is_nearer(end));
    cuts.push_back(end);
  }
  return cuts;
}

}  // namespace thalweg
