// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <thalweg/numerics/admissible.hpp>
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/density_floor.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics::detail {

/// A row of numbers of each component on both sides of cells.
struct RowOfFaces {
  const double* lower;
  const double* upper;
  std::ptrdiff_t stride;  ///< from component to component
};

/// to = u - sum over the axes of c (f_upper - f_lower) for one row, in their order.
/// @param to  may be u
template <class State, std::size_t D>
void subtract_differences(int n, const Vec<int(D)>& c, const std::array<RowOfFaces, D>& flux,
                          const double* u, std::ptrdiff_t u_stride, double* to,
                          std::ptrdiff_t to_stride) {
  // All components in one loop: in blocks of 8 cells a side rows are as short as loops take to
  // begin and end.
  for_each_in_row(n, [=](int i) {
    auto state = load<State>(u + i, u_stride);
    for (std::size_t a = 0; a < D; ++a)
      state = map_components([factor = c.at[a]](double value, double hi,
                                                double lo) { return value - factor * (hi - lo); },
                             state, load<State>(flux[a].upper + i, flux[a].stride),
                             load<State>(flux[a].lower + i, flux[a].stride));
    store(state, to + i, to_stride);
  });
}

/// Set the valid cells to those before and what the fluxes that are reported bring, and raise them
/// to the density floor; report how many were raised, and the first cell that is inadmissible then,
/// if any.
/// @param before  may be u
template <class System, int D = System::dim>
void apply_fluxes(const System& equations, ConstView<D> before, View<double, D> u,
                  const Box<D>& valid, StepSize<D> step, StepReport<D>& report) {
  Vec<D> c;
  for (int a = 0; a < D; ++a) c[a] = step.dt / step.dx[a];
  for_each_row(valid, [&](const Index<D>& row, int n) {
    std::array<RowOfFaces, std::size_t{D}> faces;
    for (int a = 0; a < D; ++a) {
      const View<double, D>& flux = report.flux[static_cast<std::size_t>(a)];
      const double* const lower = flux.at(0, row);
      faces[static_cast<std::size_t>(a)] = {lower, lower + flux.stride(a), flux.component_stride()};
    }
    subtract_differences<typename System::State>(n, c, faces, before.at(0, row),
                                                 before.component_stride(), u.at(0, row),
                                                 u.component_stride());
    report.fallbacks.raised_states +=
        raise_to_floor(equations, n, u.at(0, row), u.component_stride());
    const auto found = find_inadmissible_in_row<System>(equations, u, row, n);
    if (!report.inadmissible) report.inadmissible = found;
  });
}

}  // namespace thalweg::numerics::detail
