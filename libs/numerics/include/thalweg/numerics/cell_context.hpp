// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>

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

namespace detail {
// Apart, so that what reads a state stays small.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail_beyond(int reach, int cells_away) {
  if (reach == 0)
    throw std::out_of_range("a function of a cell reads the state " + std::to_string(cells_away) +
                            " cells away (it is declared to read no other cell than its own, so "
                            "those around it need not be there); declare that it reads neighbours "
                            "(of a derived field: .reads = Reads::neighbours)");
  throw std::out_of_range("a function of a cell reads the state " + std::to_string(cells_away) +
                          " cells away (there are " + std::to_string(reach) +
                          " layers of ghost cells, those of the scheme); read no further, or take "
                          "a reconstruction that needs more");
}
}  // namespace detail

/// The states of a cell and of the cells around it, as far along each axis as a block has ghost
/// cells: Scheme::n_ghosts, e.g. 2 with PlmVanLeer, 3 with parabolas. Of a derived field that is
/// declared to read its cell alone: 0.
///
/// @errors  throws std::out_of_range beyond, whichever cell of a block it is
/// @threads safe   @cost a state is read where it is asked for
template <class State, int D>
class StateStencil {
 public:
  /// @param cells  the cells of a block with ghost cells
  /// @param reach  layers of these
  StateStencil(const View<const double, D>& cells, const Index<D>& cell, int reach)
      : here_(cells.at(0, cell)), component_stride_(cells.component_stride()), reach_(reach) {
    for (int a = 0; a < D; ++a) stride_[a] = cells.stride(a);
  }

  /// The state of the cell itself.
  State operator()() const { return load<State>(here_, component_stride_); }
  /// The state of the cell so many cells further along an axis.
  State operator()(int axis, int cells_further) const {
    check(cells_further);
    return load<State>(here_ + cells_further * stride_[axis], component_stride_);
  }
  /// The state of the cell at an offset.
  State operator()(const Index<D>& offset) const {
    const double* at = here_;
    for (int a = 0; a < D; ++a) {
      check(offset[a]);
      at += offset[a] * stride_[a];
    }
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
  void check(int cells_further) const {
    if (std::abs(cells_further) > reach_) detail::fail_beyond(reach_, std::abs(cells_further));
  }

  const double* here_;
  std::ptrdiff_t component_stride_;
  int reach_;
  BasicVec<std::ptrdiff_t, D> stride_{};
};

}  // namespace thalweg::numerics
