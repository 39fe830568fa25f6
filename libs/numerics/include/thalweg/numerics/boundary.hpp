// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>

#include <thalweg/core/vec.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// What lies outside a face of the domain.
enum class Boundary {
  periodic,    ///< the other side of the domain: ghost cells are filled by an exchange, not here
  outflow,     ///< more of the same: zero gradient
  reflecting,  ///< a wall: the mirror image
  given,       ///< what the problem says of the place and time: inflow, moving shocks, ...
};

/// The kind of each face of the domain, in the order 2*axis + side.
template <int D>
using Boundaries = std::array<Boundary, 2 * static_cast<std::size_t>(D)>;

/// What a problem is told of a cell outside a face whose states are Boundary::given.
template <HyperbolicSystem System>
struct CellOutside {
  int face;                       ///< 2*axis + side
  Vec<System::dim> centre;        ///< of the cell
  double time;                    ///< for which the state is wanted
  typename System::State inside;  ///< the state of the cell that this one is the mirror image of
};

/// What fill_boundaries takes where no boundary is Boundary::given.
struct NothingGiven {
  template <int D, class State>
  State operator()(int, const Index<D>&, const State& inside) const {
    return inside;
  }
};

namespace detail {

/// Fill the cells of `region`, outside one face of the domain, each row from the row it mirrors.
template <HyperbolicSystem System, int D, class Given>
void fill_outside(const System& system, const View<double, D>& u, const Box<D>& domain,
                  const Box<D>& region, int face, Boundary kind, const Given& given) {
  const int axis = face / 2;
  const int inner = face % 2 == 0 ? domain.lo[axis] : domain.hi[axis] - 1;
  const int mirror_sum = face % 2 == 0 ? 2 * domain.lo[axis] - 1 : 2 * domain.hi[axis] - 1;
  for_each(region, [&](const Index<D>& ghost) {
    using State = typename System::State;
    Index<D> source = ghost;
    source[axis] = kind == Boundary::outflow ? inner : mirror_sum - ghost[axis];
    const State u_inner = load<State>(u.at(0, source), u.component_stride());
    const State outside = kind == Boundary::outflow      ? u_inner
                          : kind == Boundary::reflecting ? system.mirror(u_inner, axis)
                                                         : given(face, ghost, u_inner);
    store(outside, u.at(0, ghost), u.component_stride());
  });
}

}  // namespace detail

/// Fill the cells of a view that lie outside the domain, across the faces that are not periodic.
///
/// Axis by axis: a pass reads along later axes only cells inside the domain, and along earlier ones
/// also what the earlier passes set, so edges and corners come out right and no unset cell is read.
/// Along a periodic axis the domain has no end: all cells of the view count as inside.
///
/// @param  given  given(face, cell, state of its mirror image): the state of a cell outside a face
///                that is Boundary::given
/// @shape  u  any box; where a face is reflecting or given, with the mirror images of its ghosts
/// @pre    all cells of u inside the domain are set   @threads safe on distinct views
/// @verified boundary_test.cpp
template <HyperbolicSystem System, int D = System::dim, class Given = NothingGiven>
void fill_boundaries(const System& system, const View<double, D>& u, Box<D> domain,
                     const Boundaries<D>& kinds, const Given& given = {}) {
  for (int a = 0; a < D; ++a) {
    if (kinds[static_cast<std::size_t>(2 * a)] == Boundary::periodic)
      domain.lo[a] = std::min(domain.lo[a], u.box().lo[a]);
    if (kinds[static_cast<std::size_t>(2 * a + 1)] == Boundary::periodic)
      domain.hi[a] = std::max(domain.hi[a], u.box().hi[a]);
  }
  for (int a = 0; a < D; ++a) {
    Box<D> pass = u.box();
    for (int b = a + 1; b < D; ++b) {
      pass.lo[b] = std::max(pass.lo[b], domain.lo[b]);
      pass.hi[b] = std::min(pass.hi[b], domain.hi[b]);
    }
    Box<D> below = pass;
    below.hi[a] = std::min(pass.hi[a], domain.lo[a]);
    detail::fill_outside(system, u, domain, below, 2 * a, kinds[static_cast<std::size_t>(2 * a)],
                         given);
    Box<D> above = pass;
    above.lo[a] = std::max(pass.lo[a], domain.hi[a]);
    detail::fill_outside(system, u, domain, above, 2 * a + 1,
                         kinds[static_cast<std::size_t>(2 * a + 1)], given);
  }
}

}  // namespace thalweg::numerics
