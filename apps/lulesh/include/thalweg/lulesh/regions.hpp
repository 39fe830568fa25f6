// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

namespace thalweg::lulesh {

/// What makes regions: options -r, -b and -c.
struct RegionSettings {
  int n_regions = 11;
  int balance = 1;  ///< region i is drawn with a weight of (i + 1)^balance
  int cost = 1;     ///< how much more the equation of state of the dearer half costs

  bool operator==(const RegionSettings&) const = default;
};

/// The elements of a region, ascending; there may be none.
struct Region {
  std::vector<std::uint32_t> elements;
  std::int64_t n_repetitions = 1;  ///< of its equation of state in a cycle
};

/// Divide a rank's elements into regions, in random runs, as the reference does with glibc's rand()
/// seeded with the rank.
///
/// Regions make work uneven and leave no trace in the numbers.
/// @pre the settings were checked: 0 <= balance, 0 <= cost, and no weight is so large that others
/// are hardly ever drawn (is_drawable)
std::vector<Region> make_regions(const RegionSettings& settings, std::uint32_t n_elements,
                                 std::uint32_t rank);

/// Whether regions can be drawn in a reasonable time: weights fit into 31 bits, and all but the
/// heaviest have a ten-thousandth of them.
bool is_drawable(const RegionSettings& settings);

}  // namespace thalweg::lulesh
