// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <thalweg/numerics/admissible.hpp>
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/density_floor.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::numerics::detail {

/// Add the flux differences of one row of cells to the state before, axis by axis.
template <int D>
void add_differences(ConstView<D> before, View<double, D> u, const Index<D>& row, int n,
                     const Vec<D>& c, const FluxViews<D>& flux) {
  const double* from = before.at(0, row);
  double* q = u.at(0, row);
  std::array<const double*, D> f;
  std::array<std::ptrdiff_t, D> up;
  for (std::size_t a = 0; a < D; ++a) {
    f[a] = flux[a].at(0, row);
    up[a] = flux[a].stride(static_cast<int>(a));
  }
  for (int k = 0; k < u.n_components(); ++k) {
    for_each_in_row(n, [=](int i) {
      double value = from[i];
      for (std::size_t a = 0; a < D; ++a) value -= c.at[a] * (f[a][i + up[a]] - f[a][i]);
      q[i] = value;
    });
    from += before.component_stride();
    q += u.component_stride();
    for (std::size_t a = 0; a < D; ++a) f[a] += flux[a].component_stride();
  }
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
    add_differences<D>(before, u, row, n, c, report.flux);
    report.fallbacks.raised_states +=
        raise_to_floor(equations, n, u.at(0, row), u.component_stride());
    const auto found = find_inadmissible_in_row<System>(equations, u, row, n);
    if (!report.inadmissible) report.inadmissible = found;
  });
}

}  // namespace thalweg::numerics::detail
