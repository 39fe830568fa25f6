// SPDX-License-Identifier: MIT
#include "plotfile_boxes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace thalweg::io::detail {

namespace {

/// Where a box is cut in two, and how many of the boxes in it are.
struct Cut {
  int axis = 0;
  int at = 0;
  std::ptrdiff_t n_cut = 0;
};

/// The side of a box next to the middle of all along an axis; all.lo where none lies inside.
int middle_side(const std::vector<Box<3>>& boxes, const Box<3>& all, int axis) {
  const auto from_middle = [&](int at) {
    return std::abs(2 * std::int64_t{at} - all.lo[axis] - all.hi[axis]);
  };
  int best = all.lo[axis];
  for (const Box<3>& box : boxes)
    for (const int at : {box.lo[axis], box.hi[axis]})
      if (from_middle(at) < from_middle(best)) best = at;
  return best;
}

/// The cut along sides through the fewest boxes; none where each of them is the box around all.
std::optional<Cut> best_cut(const std::vector<Box<3>>& boxes, const Box<3>& all) {
  std::optional<Cut> best;
  for (int axis = 0; axis < 3; ++axis) {
    const int at = middle_side(boxes, all, axis);
    if (at == all.lo[axis]) continue;
    const auto n_cut = std::ranges::count_if(
        boxes, [&](const Box<3>& box) { return box.lo[axis] < at && at < box.hi[axis]; });
    if (!best || n_cut < best->n_cut) best = {axis, at, n_cut};
  }
  return best;
}

std::pair<Box<3>, Box<3>> halves(const Box<3>& all, const Cut& cut) {
  Box<3> lower = all, upper = all;
  lower.hi[cut.axis] = upper.lo[cut.axis] = cut.at;
  return {lower, upper};
}

std::vector<Box<3>> parts_in(const std::vector<Box<3>>& boxes, const Box<3>& region) {
  std::vector<Box<3>> parts;
  for (const Box<3>& box : boxes)
    if (const Box<3> part = intersect(box, region); !part.is_empty()) parts.push_back(part);
  return parts;
}

}  // namespace

double count_cells(const Box<3>& box) {
  return static_cast<double>(box.extent(0)) * box.extent(1) * box.extent(2);
}

std::optional<Box<3>> overlap_of(const std::vector<Box<3>>& boxes) {
  if (boxes.size() < 2) return std::nullopt;
  Box<3> all;
  for (const Box<3>& box : boxes) all = bounding(all, box);
  const auto cut = best_cut(boxes, all);
  if (!cut) return all;
  const auto [lower, upper] = halves(all, *cut);
  if (const auto found = overlap_of(parts_in(boxes, lower))) return found;
  return overlap_of(parts_in(boxes, upper));
}

std::optional<Box<3>> outside_of(const std::vector<Box<3>>& boxes,
                                 const std::vector<Box<3>>& others) {
  if (boxes.empty()) return std::nullopt;
  Box<3> all;
  for (const Box<3>& box : boxes) all = bounding(all, box);
  const auto inside = parts_in(others, all);
  if (inside.empty()) return boxes.front();
  double n_inside = 0;
  for (const Box<3>& box : inside) n_inside += count_cells(box);
  if (n_inside == count_cells(all)) return std::nullopt;
  const auto [lower, upper] = halves(all, *best_cut(inside, all));  // none of them is all
  if (const auto found = outside_of(parts_in(boxes, lower), inside)) return found;
  return outside_of(parts_in(boxes, upper), inside);
}

}  // namespace thalweg::io::detail
