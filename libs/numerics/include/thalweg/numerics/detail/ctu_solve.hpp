// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <type_traits>

#include <thalweg/numerics/detail/ctu_workspace.hpp>
#include <thalweg/numerics/detail/flux_row.hpp>
#include <thalweg/numerics/detail/guarded.hpp>
#include <thalweg/numerics/rows.hpp>

namespace thalweg::numerics::detail {

/// Transverse fluxes that change the states of a row of cells: one axis, both faces of each cell.
struct TransverseRow {
  const double* lower;
  const double* upper;
  std::ptrdiff_t stride;  ///< from component to component
  double weight;          ///< time over cell size

  template <class State>
  State difference(std::ptrdiff_t i) const {
    return map_components([w = weight](double hi, double lo) { return w * (hi - lo); },
                          load<State>(upper + i, stride), load<State>(lower + i, stride));
  }
};

/// A transverse flux and the time, over the cell size along its axis, for which it acts.
template <int D>
struct Transverse {
  const View<double, D>& flux;
  int axis;
  double weight;

  TransverseRow row(const Index<D>& cell) const {
    const double* const lower = flux.at(0, cell);
    return {lower, lower + flux.stride(axis), flux.component_stride(), weight};
  }
};

/// The state of cell i changed by transverse flux differences; unchanged where inadmissible then.
template <class System, std::size_t n>
Guarded<typename System::Primitive> corrected(const System& system,
                                              const typename System::Primitive& w,
                                              const std::array<TransverseRow, n>& transverse,
                                              std::ptrdiff_t i) {
  using State = typename System::State;
  const State before = system.to_conserved(w);
  // Of two axes the sum is taken first, so that it does not matter which is called which.
  const State change = [&] {
    if constexpr (n == 1)
      return transverse[0].template difference<State>(i);
    else
      return map_components([](double a, double b) { return a + b; },
                            transverse[0].template difference<State>(i),
                            transverse[1].template difference<State>(i));
  }();
  const State after = map_components([](double u, double du) { return u - du; }, before, change);
  return guarded(system.admissible(after), system.to_primitive(after), w);
}

/// Solve the Riemann problems of a row of faces between states that transverse fluxes change first;
/// count the states that they leave as they were.
template <class Riemann, int Axis, class System, std::size_t n_axes>
void solve_corrected_faces(const System& equations, int n, const double* l, const double* r,
                           std::ptrdiff_t stride, const std::array<TransverseRow, n_axes>& of_l,
                           const std::array<TransverseRow, n_axes>& of_r, double* f,
                           std::ptrdiff_t f_stride, double* replaced) {
  using Primitive = typename System::Primitive;
  for_each_in_row(n, [=, system = equations](int i) {
    const auto below = corrected(system, load<Primitive>(l + i, stride), of_l, i);
    const auto above = corrected(system, load<Primitive>(r + i, stride), of_r, i);
    store(Riemann::flux(system, below.state, above.state, Axis), f + i, f_stride);
    replaced[i] += bool(int(below.is_own) & int(above.is_own)) ? 0.0 : 1.0;
  });
}

/// Solve the Riemann problems between the traced states along an axis, each state first changed by
/// transverse fluxes (none, one axis or two), and store the fluxes on all faces of `flux`.
template <class Scheme, int Axis, int D = Scheme::dim, class... Transverses>
void solve(const Scheme& scheme, std::integral_constant<int, Axis>, const FaceStates<D>& states,
           const View<double, D>& flux, const Tally& replaced, const Transverses&... transverses) {
  using Riemann = typename Scheme::Riemann;
  for_each_row(flux.box(), [&](const Index<D>& row, int n) {
    const Index<D> below = row - Index<D>::unit(Axis);
    const double* const l = states.upper.at(0, below);
    const double* const r = states.lower.at(0, row);
    double* const f = flux.at(0, row);
    const std::ptrdiff_t stride = states.lower.component_stride();
    if constexpr (sizeof...(transverses) == 0) {
      solve_faces<Riemann, Axis>(scheme.system, n, l, stride, r, stride, f,
                                 flux.component_stride());
    } else {
      const std::array<TransverseRow, sizeof...(transverses)> of_l{transverses.row(below)...};
      const std::array<TransverseRow, sizeof...(transverses)> of_r{transverses.row(row)...};
      solve_corrected_faces<Riemann, Axis>(scheme.system, n, l, r, stride, of_l, of_r, f,
                                           flux.component_stride(), replaced.counts());
    }
  });
}

/// Compute the fluxes of the step from the traced states.
template <class Scheme, int D = Scheme::dim>
void solve_with_corners(const Scheme& scheme, StepSize<D> step, const CtuWorkspace<Scheme>& work) {
  const auto during = [&](double share, const View<double, D>& flux, int axis) {
    return Transverse<D>{flux, axis, share * step.dt / step.dx[axis]};
  };
  if constexpr (D > 1)
    for_each_axis<D>([&](auto axis) {
      solve(scheme, axis, work.traced[axis], work.first[axis], work.replaced);
    });
  if constexpr (D > 2)
    for_each_axis<D>([&](auto axis) {
      for (const int other : {(axis + 1) % 3, (axis + 2) % 3})
        solve(scheme, axis, work.traced[axis], work.second[axis][static_cast<std::size_t>(other)],
              work.replaced, during(1.0 / 3.0, work.first[static_cast<std::size_t>(other)], other));
    });
  for_each_axis<D>([&](auto axis) {
    constexpr std::size_t b = (axis + 1) % D, c = (axis + 2) % D;
    const auto& states = work.traced[axis];
    const auto solve_last = [&](const auto&... transverses) {
      solve(scheme, axis, states, work.flux[axis], work.replaced, transverses...);
    };
    if constexpr (D == 1) solve_last();
    if constexpr (D == 2) solve_last(during(0.5, work.first[b], b));
    if constexpr (D == 3)
      solve_last(during(0.5, work.second[b][c], b), during(0.5, work.second[c][b], c));
  });
}

}  // namespace thalweg::numerics::detail
