// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/numerics/cell_context.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// What lies outside a face of the domain.
enum class Boundary {
  periodic,    ///< the other side of the domain: ghost cells are filled by an exchange, not here
  outflow,     ///< more of the same: zero gradient
  reflecting,  ///< a wall: the mirror image
  dirichlet,   ///< what the problem says of the place and time: a solution, so sources act there
  fixed,       ///< the same, where no source acts: an inflow, or made of the mirror image
};

/// Whether the states outside a face are what the problem says.
constexpr bool is_user_defined(Boundary kind) {
  return kind == Boundary::dirichlet || kind == Boundary::fixed;
}

/// The kind of each face of the domain, in the order 2*axis + side.
template <int D>
using Boundaries = std::array<Boundary, 2 * static_cast<std::size_t>(D)>;

/// What a problem is told of a cell outside a face whose states it says.
template <HyperbolicSystem System>
struct BoundaryCell : CellContext<System::dim> {  // at the time for which the state is wanted
  int face;                                       ///< 2*axis + side
  typename System::State inside;  ///< the state of the cell that this one is the mirror image of
};

/// A row of cells along x outside a face of the domain, to be set to what a problem says.
template <int D>
struct BoundaryRow {
  int face;                    ///< 2*axis + side
  Index<D> first;              ///< cell of the row
  int n;                       ///< cells
  const double* inside;        ///< of the cell that the first one is the mirror image of
  std::ptrdiff_t inside_step;  ///< to that of the next one
  double* outside;             ///< of the first cell
  std::ptrdiff_t component_stride;

  /// Set each cell: state_of(cell, state of its mirror image) -> State
  template <class State, class F>
  void set(const F& state_of) const {
    for (int i = 0; i < n; ++i)
      store(State(state_of(first + i * Index<D>::unit(0),
                           load<State>(inside + i * inside_step, component_stride))),
            outside + i, component_stride);
  }
};

/// What fill_boundaries takes where the problem says no states.
struct NothingUserDefined {
  template <int D>
  void operator()(const BoundaryRow<D>&) const {}
};

namespace detail {

/// Fill the cells of `region`, outside one face of the domain, each row from the row it mirrors.
template <int axis, HyperbolicSystem System, int D, class UserDefined>
void fill_boundary(const System& system, const View<double, D>& u, const Box<D>& domain,
                   const Box<D>& region, int side, Boundary kind, const UserDefined& user_defined) {
  using State = typename System::State;
  const int inner = side == 0 ? domain.lo[axis] : domain.hi[axis] - 1;
  const int mirror_sum = side == 0 ? 2 * domain.lo[axis] - 1 : 2 * domain.hi[axis] - 1;
  // From one cell of a row to the next its image moves as well, or along x the other way, or not.
  const std::ptrdiff_t step = axis > 0 ? 1 : kind == Boundary::outflow ? 0 : -1;
  const std::ptrdiff_t stride = u.component_stride();
  for_each_row(region, [&](const Index<D>& row, int n) {
    Index<D> image = row;
    image[axis] = kind == Boundary::outflow ? inner : mirror_sum - row[axis];
    const double* const from = u.at(0, image);
    double* const to = u.at(0, row);
    const auto fill = [=](const auto& outside) {
      const auto fill_cell = [=](std::ptrdiff_t i, std::ptrdiff_t of_image) {
        store(outside(i, load<State>(from + of_image, stride)), to + i, stride);
      };
      if constexpr (axis > 0)
        for_each_in_row(n, [=](int i) { fill_cell(i, i); });
      else
        for (int i = 0; i < n; ++i) fill_cell(i, i * step);
    };
    if (kind == Boundary::outflow)
      fill([](std::ptrdiff_t, const State& inside) { return inside; });
    else if (is_user_defined(kind))
      user_defined(BoundaryRow<D>{2 * axis + side, row, n, from, step, to, stride});
    else if constexpr (WalledSystem<System>)
      fill([system](std::ptrdiff_t, const State& inside) { return system.mirror(inside, axis); });
    else
      THALWEG_EXPECT(false, "a wall, and the system says no image of a state in it");
  });
}

/// Visit what lies outside the domain, across the faces that are not periodic, axis by axis:
/// f(axis constant, side, region). Along later axes a region lies inside the domain, which has no
/// end along a periodic one.
template <int D, class F>
void for_each_boundary(const Box<D>& all, Box<D> domain, const Boundaries<D>& kinds, F f) {
  for (int a = 0; a < D; ++a) {
    if (kinds[static_cast<std::size_t>(2 * a)] == Boundary::periodic)
      domain.lo[a] = std::min(domain.lo[a], all.lo[a]);
    if (kinds[static_cast<std::size_t>(2 * a + 1)] == Boundary::periodic)
      domain.hi[a] = std::max(domain.hi[a], all.hi[a]);
  }
  for_each_axis<D>([&](auto axis) {
    constexpr int a = axis;
    Box<D> pass = all;
    for (int b = a + 1; b < D; ++b) {
      pass.lo[b] = std::max(pass.lo[b], domain.lo[b]);
      pass.hi[b] = std::min(pass.hi[b], domain.hi[b]);
    }
    for (const int side : {0, 1}) {
      Box<D> outside = pass;
      if (side == 0)
        outside.hi[a] = std::min(pass.hi[a], domain.lo[a]);
      else
        outside.lo[a] = std::max(pass.lo[a], domain.hi[a]);
      f(axis, side, outside);
    }
  });
}

}  // namespace detail

/// Fill the cells of a view that lie outside the domain, across the faces that are not periodic.
///
/// Axis by axis: a pass reads along later axes only cells inside the domain, and along earlier ones
/// also what the earlier passes set, so edges and corners come out right and no unset cell is read:
/// they are what the side of the last axis makes of what is outside along the earlier ones.
/// Along a periodic axis the domain has no end: all cells of the view count as inside.
///
/// @param  user_defined  sets a row outside a face of which is_user_defined(): f(BoundaryRow<D>)
/// @shape  u  any box; where a face is not outflow, with the mirror images of its ghosts
/// @pre    all cells of u inside the domain are set   @threads safe on distinct views
/// @verified boundary_test.cpp
template <HyperbolicSystem System, int D = System::dim, class UserDefined = NothingUserDefined>
void fill_boundaries(const System& system, const View<double, D>& u, const Box<D>& domain,
                     const Boundaries<D>& kinds, const UserDefined& user_defined = {}) {
  detail::for_each_boundary(
      u.box(), domain, kinds, [&](auto axis, int side, const Box<D>& outside) {
        detail::fill_boundary<axis>(system, u, domain, outside, side,
                                    kinds[static_cast<std::size_t>(2 * axis + side)], user_defined);
      });
}

}  // namespace thalweg::numerics
