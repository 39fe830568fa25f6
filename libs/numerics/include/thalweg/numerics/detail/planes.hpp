// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>

#include <thalweg/core/view.hpp>
#include <thalweg/numerics/scratch.hpp>

namespace thalweg::numerics::detail {

// A block is gone through plane by plane, across its last axis: y in two dimensions, z in three.
// In one dimension all of it is one plane.

/// Call f(plane) for the planes of a box, in order.
template <int D, class F>
void for_each_plane(const Box<D>& box, F&& f) {
  const int end = D > 1 ? box.hi[D - 1] : box.lo[0] + 1;
  for (int plane = box.lo[D - 1]; plane < end; ++plane) f(plane);
}

/// The part of a box that lies in one plane, which may be empty.
template <int D>
Box<D> in_plane(Box<D> box, int plane) {
  if constexpr (D > 1) {
    box.lo[D - 1] = std::max(box.lo[D - 1], plane);
    box.hi[D - 1] = std::min(box.hi[D - 1], plane + 1);
  }
  return box;
}

/// How many rows along x the part of a box has that lies in one plane.
template <int D>
int n_rows(const Box<D>& in_plane) {
  if (in_plane.is_empty()) return 0;
  return D > 2 ? in_plane.extent(D - 2) : 1;
}

/// Numbers in a plane of a box and in the one before it, in scratch: plane k takes the memory of
/// plane k - 2, so that both stay in the cache.
template <int D>
class TwoPlanes {
 public:
  TwoPlanes() = default;
  TwoPlanes(const Box<D>& box, int n_components, Scratch& scratch)
      : box_(box), numbers_(scratch.take(folded(box), n_components)) {}

  /// The whole box.
  const Box<D>& box() const { return box_; }
  /// Where a cell of the last two planes lies in memory; x neighbours follow it.
  double* at(int component, Index<D> cell) const {
    THALWEG_EXPECT(box_.contains(cell), "cell outside the planes");
    if constexpr (D > 1) cell[D - 1] = cell[D - 1] & 1;
    return numbers_.at(component, cell);
  }
  std::ptrdiff_t component_stride() const { return numbers_.component_stride(); }
  std::ptrdiff_t stride(int axis) const { return numbers_.stride(axis); }

 private:
  static Box<D> folded(Box<D> box) {
    if constexpr (D > 1) {
      box.lo[D - 1] = 0;
      box.hi[D - 1] = 2;
    }
    return box;
  }

  Box<D> box_{};
  View<double, D> numbers_;
};

}  // namespace thalweg::numerics::detail
