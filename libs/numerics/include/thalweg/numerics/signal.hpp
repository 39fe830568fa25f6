// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// The largest signal speed over dx of all cells and axes; the time step is cfl over it.
///
/// With diffusion the speed is larger by 2 diffusivity / dx, so that explicit steps are stable
/// where those without it are.
///
/// A maximum is exact: the result depends on no order. NaNs are passed over, so that the report of
/// an inadmissible state, not a time step of NaN, ends a run that went wrong.
/// @units 1/time   @threads safe   @verified signal_test.cpp
template <HyperbolicSystem System, int D = System::dim>
double max_signal(const System& system, ConstView<D> u, const Box<D>& valid, const Vec<D>& dx) {
  static_assert(detail::check_optional_members<System>());
  Vec<D> per_dx;
  for (int a = 0; a < D; ++a) per_dx[a] = 1.0 / dx[a];
  double largest = 0;
  for_each_row(valid, [&](const Index<D>& row, int n) {
    const double* const q = u.at(0, row);
    largest = max_in_row(n, largest, [=, stride = u.component_stride()](int i) {
      const auto w = system.to_primitive(load<typename System::State>(q + i, stride));
      double signal = 0;
      for (int a = 0; a < D; ++a) {
        double speed = system.max_speed(w, a);
        if constexpr (DiffusiveSystem<System>) speed += 2.0 * system.diffusivity * per_dx[a];
        const double along = speed * per_dx[a];
        signal = along > signal ? along : signal;
      }
      return signal;
    });
  });
  return largest;
}

}  // namespace thalweg::numerics
