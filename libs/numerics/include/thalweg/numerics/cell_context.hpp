// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/core/vec.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// Where and when a function of a cell is evaluated.
template <int D>
struct CellContext {
  Vec<D> centre{};  ///< [length]; of a ghost cell across a periodic face, where its original lies
  Vec<D> dx{};      ///< size of the cell [length]
  int level = 0;
  double time = 0;  ///< [time]
};

/// The states of a cell and of the cells around it, as far as there are ghost cells.
///
/// @threads safe   @cost a state is read where it is asked for
template <class State, int D>
class StateStencil {
 public:
  /// @param cells  the cells of a block with ghost cells
  StateStencil(const View<const double, D>& cells, const Index<D>& cell)
      : here_(cells.at(0, cell)), component_stride_(cells.component_stride()) {
    for (int a = 0; a < D; ++a) stride_[a] = cells.stride(a);
  }

  /// The state of the cell itself.
  State operator()() const { return load<State>(here_, component_stride_); }
  /// The state of the cell so many cells further along an axis.
  State operator()(int axis, int cells_further) const {
    return load<State>(here_ + cells_further * stride_[axis], component_stride_);
  }
  /// The state of the cell at an offset.
  State operator()(const Index<D>& offset) const {
    const double* at = here_;
    for (int a = 0; a < D; ++a) at += offset[a] * stride_[a];
    return load<State>(at, component_stride_);
  }
  /// Whether any of the 2D cells that share a face with this one is such: is_such(State) -> bool.
  template <class F>
  bool any_neighbour(F is_such) const {
    for (int a = 0; a < D; ++a)
      if (is_such((*this)(a, -1)) || is_such((*this)(a, 1))) return true;
    return false;
  }

 private:
  const double* here_;
  std::ptrdiff_t component_stride_;
  BasicVec<std::ptrdiff_t, D> stride_{};
};

}  // namespace thalweg::numerics
