// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <thalweg/numerics/const_view.hpp>

namespace thalweg::numerics::detail {

/// A line of coarse cells along an axis with those around it, component by component, each as a row
/// of numbers that lie side by side: where they are along x, else as copies.
template <int D, int n_components>
class CoarseLine {
 public:
  static constexpr int longest = 32;  ///< cells

  /// @param first  of the n cells
  CoarseLine(ConstView<D> u, const Index<D>& first, int axis, int n) : axis_(axis) {
    if (axis == 0) {
      mean_ = u.at(0, first);
      stride_ = u.component_stride();
      for (int a = 0; a < D; ++a) to_next_[a] = u.stride(a);
    } else {
      gather(u, first, n);
    }
  }
  CoarseLine(const CoarseLine&) = delete;
  CoarseLine& operator=(const CoarseLine&) = delete;

  const double* mean(int c) const { return mean_ + c * stride_; }
  /// From component to component.
  std::ptrdiff_t component_stride() const { return stride_; }
  /// The cells on the two sides of those of the line along an axis.
  std::array<const double*, 2> sides(int a, int c) const {
    const double* const here = mean(c);
    return {here - to_next_[a], here + to_next_[a]};
  }

 private:
  static constexpr int length = longest + 2;      // with a cell at each end
  static constexpr int n_rows = 1 + 2 * (D - 1);  // the line and those on both sides of it

  void gather(ConstView<D> u, const Index<D>& first, int n) {
    // In the middle the line, below and above it those on its sides, axis after axis.
    constexpr int middle = D - 1;
    copy(u, first - Index<D>::unit(axis_), n + 2, middle, 0);
    to_next_[axis_] = 1;
    for (int a = 0, away = 1; a < D; ++a) {
      if (a == axis_) continue;
      copy(u, first - Index<D>::unit(a), n, middle - away, 1);
      copy(u, first + Index<D>::unit(a), n, middle + away, 1);
      to_next_[a] = away++ * length;
    }
    mean_ = copies_.data() + middle * length + 1;
    stride_ = n_rows * length;
  }
  void copy(ConstView<D> u, const Index<D>& first, int n, int row, int place) {
    for (int c = 0; c < n_components; ++c) {
      const double* const from = u.at(c, first);
      double* const to = copies_.data() + (c * n_rows + row) * length + place;
      for (int i = 0; i < n; ++i) to[i] = from[i * u.stride(axis_)];
    }
  }

  int axis_;
  const double* mean_;
  std::ptrdiff_t stride_;
  BasicVec<std::ptrdiff_t, D> to_next_;
  std::array<double, std::size_t{n_components} * n_rows * length> copies_;
};

/// Along which axis a region of coarse cells is gone through: x, unless it is thin along x, as
/// ghost cells are, and at least twice as long along another.
template <int D>
int axis_of_lines(const Box<D>& cells) {
  constexpr int thin = 4;
  int axis = 0;
  if (cells.extent(0) < thin)
    for (int a = 1; a < D; ++a)
      if (cells.extent(a) >= 2 * cells.extent(axis)) axis = a;
  return axis;
}

/// Call f(first, n) for the lines of cells of a box along an axis.
template <int D, class F>
void for_each_line(Box<D> box, int axis, F&& f) {
  const int n = box.extent(axis);
  if (n <= 0) return;
  box.hi[axis] = box.lo[axis] + 1;
  for_each(box, [&](const Index<D>& first) { f(first, n); });
}

}  // namespace thalweg::numerics::detail
