// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/detail/row_buffer.hpp>
#include <thalweg/numerics/detail/to_primitive.hpp>
#include <thalweg/numerics/scratch.hpp>

namespace thalweg::numerics::detail {

/// States of cells for a kernel to go along an axis.
struct CellsAlong {
  const double* first;
  std::ptrdiff_t component_stride;
  std::ptrdiff_t stride;  ///< from a cell to the next along the axis

  /// The same, a number of places further on.
  CellsAlong from(std::ptrdiff_t place) const { return {first + place, component_stride, stride}; }
  const double* below() const { return first - stride; }
};

/// The primitive states of a block's valid cells, and of those straight out from them along each
/// axis: what methods read that go along one axis after another. All rows have as many cells as the
/// block but those of the strip at hand, which has the cells out along x: so the rows of a plane
/// lie one after another, whichever axis is gone along.
template <int D>
class StatesByAxis {
 public:
  StatesByAxis() = default;
  StatesByAxis(const Box<D>& valid, int n_ghosts, int n_rows, int n_components, Scratch& scratch)
      : n_ghosts_(n_ghosts),
        pitch_(valid.grown(n_ghosts).extent(0)),
        strip_(take_row(n_rows * pitch_, n_components, scratch)) {
    Box<D> box = valid;
    for (int a = 1; a < D; ++a) box = box.grown(a, n_ghosts);
    block_ = scratch.take(box, n_components);
  }
  /// Convert the cells straight out from the valid ones along other axes than x; in three
  /// dimensions those of one plane.
  template <class System>
  void convert_around(const System& system, ConstView<D> u, const Box<D>& valid,
                      [[maybe_unused]] int plane) const {
    if constexpr (D > 1) {
      Index<D> row = valid.lo;
      const auto convert_rows = [&](int from, int to) {
        for (row[1] = from; row[1] < to; ++row[1])
          convert_row(system, row, valid.extent(0), u, block_);
      };
      const auto& [lo, hi] = valid;
      if constexpr (D > 2) {
        row[2] = plane;
        if (plane < lo[2] || plane >= hi[2]) {
          const bool is_near = lo[2] - n_ghosts_ <= plane && plane < hi[2] + n_ghosts_;
          if (is_near) convert_rows(lo[1], hi[1]);
          return;
        }
      }
      convert_rows(lo[1] - n_ghosts_, lo[1]);
      convert_rows(hi[1], hi[1] + n_ghosts_);
    }
  }
  /// Convert the valid cells of a strip, and those straight out from them along x.
  template <class System>
  void convert_strip(const System& system, ConstView<D> u, Index<D> row, int n_rows) const {
    const int n = block_.box().extent(0);
    for (int r = 0; r < n_rows; ++r) {
      convert_row_by_axis(system, row, n, n_ghosts_, u, strip_.from(r * pitch_),
                          {block_.at(0, row), block_.component_stride()});
      if constexpr (D > 1) ++row[1];
    }
  }

  /// All valid cells, when all strips have been converted.
  const View<double, D>& block() const { return block_; }
  /// From a row to the next one of the strip.
  int pitch() const { return pitch_; }
  /// The cells of the strip that was converted last, from the first valid one.
  CellsAlong strip() const { return {strip_.data + n_ghosts_, strip_.stride, 1}; }
  /// The cells from the first one of a row, along another axis than x.
  CellsAlong along(int axis, const Index<D>& row) const {
    return {block_.at(0, row), block_.component_stride(), block_.stride(axis)};
  }

 private:
  int n_ghosts_ = 0;
  int pitch_ = 0;
  RowBuffer strip_;
  View<double, D> block_;
};

}  // namespace thalweg::numerics::detail
