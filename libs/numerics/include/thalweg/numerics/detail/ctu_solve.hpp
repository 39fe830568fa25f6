// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <type_traits>

#include <thalweg/numerics/detail/ctu_correction.hpp>
#include <thalweg/numerics/detail/ctu_workspace.hpp>
#include <thalweg/numerics/detail/flux_row.hpp>
#include <thalweg/numerics/detail/guarded.hpp>
#include <thalweg/numerics/rows.hpp>

namespace thalweg::numerics::detail {

/// What crosses the faces of a row of cells along another axis, and so changes their states.
struct TransverseRow {
  const double* lower;
  const double* upper;
  std::ptrdiff_t stride;  ///< from component to component
  double weight;          ///< time over cell size

  /// What cell i, of state w, loses.
  template <class Rule, class System>
  typename Rule::Loss loss(const System& system, const typename System::Primitive& w,
                           std::ptrdiff_t i) const {
    using Crossing = typename Rule::Crossing;
    return map_components([c = weight](double x) { return c * x; },
                          Rule::loss(system, w, load<Crossing>(lower + i, stride),
                                     load<Crossing>(upper + i, stride)));
  }
};

/// What crosses faces along an axis and the time, over the cell size, for which it acts.
template <int D>
struct Transverse {
  const View<double, D>& crossing;
  int axis;
  double weight;

  TransverseRow row(const Index<D>& cell) const {
    const double* const lower = crossing.at(0, cell);
    return {lower, lower + crossing.stride(axis), crossing.component_stride(), weight};
  }
};

/// The state of cell i changed by what crosses its other faces; unchanged where inadmissible then.
template <class Rule, class System, std::size_t n>
Guarded<typename System::Primitive> corrected(const System& system,
                                              const typename System::Primitive& w,
                                              const std::array<TransverseRow, n>& transverse,
                                              std::ptrdiff_t i) {
  // Of two axes the sum is taken first, so that it does not matter which is called which.
  const auto first = transverse[0].template loss<Rule>(system, w, i);
  if constexpr (n == 1)
    return Rule::less(system, w, first);
  else
    return Rule::less(system, w,
                      map_components([](double a, double b) { return a + b; }, first,
                                     transverse[1].template loss<Rule>(system, w, i)));
}

/// Solve the Riemann problems of a row of faces between states that are corrected first; count the
/// states that stay as they were.
template <class Riemann, class Rule, int Axis, class System, std::size_t n_axes>
void solve_corrected_faces(const System& equations, int n, const double* l, const double* r,
                           std::ptrdiff_t stride, const std::array<TransverseRow, n_axes>& of_l,
                           const std::array<TransverseRow, n_axes>& of_r, double* f,
                           std::ptrdiff_t f_stride, double* replaced) {
  using Primitive = typename System::Primitive;
  for_each_in_row(n, [=, system = equations](int i) {
    const auto below = corrected<Rule>(system, load<Primitive>(l + i, stride), of_l, i);
    const auto above = corrected<Rule>(system, load<Primitive>(r + i, stride), of_r, i);
    store(Riemann::flux(system, below.state, above.state, Axis), f + i, f_stride);
    replaced[i] += bool(int(below.is_own) & int(above.is_own)) ? 0.0 : 1.0;
  });
}

/// Solve the Riemann problems between the traced states along an axis, each state corrected first
/// (by none, one or two other axes), and store what the solver finds at all faces of `to`.
template <class Riemann, class Scheme, int Axis, int D = Scheme::dim, class... Transverses>
void solve(const Scheme& scheme, std::integral_constant<int, Axis>, const FaceStates<D>& states,
           const View<double, D>& to, const Tally& replaced, const Transverses&... transverses) {
  for_each_row(to.box(), [&](const Index<D>& row, int n) {
    const Index<D> below = row - Index<D>::unit(Axis);
    const double* const l = states.upper.at(0, below);
    const double* const r = states.lower.at(0, row);
    double* const f = to.at(0, row);
    const std::ptrdiff_t stride = states.lower.component_stride();
    if constexpr (sizeof...(transverses) == 0) {
      solve_faces<Riemann, Axis>(scheme.system, n, l, stride, r, stride, f, to.component_stride());
    } else {
      const std::array<TransverseRow, sizeof...(transverses)> of_l{transverses.row(below)...};
      const std::array<TransverseRow, sizeof...(transverses)> of_r{transverses.row(row)...};
      solve_corrected_faces<Riemann, Correction<Scheme>, Axis>(
          scheme.system, n, l, r, stride, of_l, of_r, f, to.component_stride(), replaced.counts());
    }
  });
}

/// Compute the fluxes of the step from the traced states.
template <class Scheme, int D = Scheme::dim>
void solve_with_corners(const Scheme& scheme, StepSize<D> step, const CtuWorkspace<Scheme>& work) {
  using Crossings = typename Correction<Scheme>::Solver;
  const auto during = [&](double share, const View<double, D>& crossing, int axis) {
    return Transverse<D>{crossing, axis, share * step.dt / step.dx[axis]};
  };
  if constexpr (D > 1)
    for_each_axis<D>([&](auto axis) {
      solve<Crossings>(scheme, axis, work.traced[axis], work.first[axis], work.replaced);
    });
  if constexpr (D > 2)
    for_each_axis<D>([&](auto axis) {
      for (const int other : {(axis + 1) % 3, (axis + 2) % 3})
        solve<Crossings>(scheme, axis, work.traced[axis],
                         work.second[axis][static_cast<std::size_t>(other)], work.replaced,
                         during(1.0 / 3.0, work.first[static_cast<std::size_t>(other)], other));
    });
  for_each_axis<D>([&](auto axis) {
    constexpr std::size_t b = (axis + 1) % D, c = (axis + 2) % D;
    const auto& states = work.traced[axis];
    const auto solve_last = [&](const auto&... transverses) {
      solve<typename Scheme::Riemann>(scheme, axis, states, work.flux[axis], work.replaced,
                                      transverses...);
    };
    if constexpr (D == 1) solve_last();
    if constexpr (D == 2) solve_last(during(0.5, work.first[b], b));
    if constexpr (D == 3)
      solve_last(during(0.5, work.second[b][c], b), during(0.5, work.second[c][b], c));
  });
}

}  // namespace thalweg::numerics::detail
