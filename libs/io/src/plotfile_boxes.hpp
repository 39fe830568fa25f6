// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <vector>

#include <thalweg/core/box.hpp>

namespace thalweg::io::detail {

/// Cells of a box, exactly up to 2^53: of three long sides an integer would overflow.
double count_cells(const Box<3>& box);

/// Find where boxes overlap, in O(n log n) for boxes that lie as those of a mesh do.
/// @pre none is empty
/// @return cells that several of them have, and no others; none if the boxes are disjoint
std::optional<Box<3>> overlap_of(const std::vector<Box<3>>& boxes);

/// Find where boxes reach outside others, as fast where boxes of the two do not cross each other.
/// @pre none is empty; the others are disjoint
/// @return cells that some of the boxes have and none of the others; none if there are no such
std::optional<Box<3>> outside_of(const std::vector<Box<3>>& boxes,
                                 const std::vector<Box<3>>& others);

}  // namespace thalweg::io::detail
