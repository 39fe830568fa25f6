// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

namespace detail {

/// The largest signal over dx of a state along any axis.
template <HyperbolicSystem System, int D = System::dim>
constexpr double signal_of(const System& system, const typename System::State& u,
                           const Vec<D>& per_dx) {
  const auto w = system.to_primitive(u);
  double signal = 0;
  for (int a = 0; a < D; ++a) {
    double speed = system.max_speed(w, a);
    if constexpr (DiffusiveSystem<System>) speed += 2.0 * system.diffusivity * per_dx[a];
    const double along = speed * per_dx[a];
    signal = along > signal ? along : signal;
  }
  return signal;
}

/// The largest signal(state, 1/dx) of all cells; NaNs are passed over.
template <HyperbolicSystem System, int D = System::dim, class Signal>
double max_of_cells(ConstView<D> u, const Box<D>& valid, const Vec<D>& dx, const Signal& signal) {
  static_assert(check_optional_members<System>());
  Vec<D> per_dx;
  for (int a = 0; a < D; ++a) per_dx[a] = 1.0 / dx[a];
  double largest = 0;
  for_each_row(valid, [&](const Index<D>& row, int n) {
    const double* const q = u.at(0, row);
    largest = max_in_row(n, largest, [=, stride = u.component_stride()](int i) {
      return signal(load<typename System::State>(q + i, stride), per_dx);
    });
  });
  return largest;
}

}  // namespace detail

/// The largest signal speed over dx of all cells and axes; the time step is cfl over it.
///
/// With diffusion the speed is larger by 2 diffusivity / dx, so that explicit steps are stable
/// where those without it are.
///
/// A maximum is exact: the result depends on no order. NaNs are passed over.
/// @units 1/time   @threads safe   @verified signal_test.cpp
template <HyperbolicSystem System, int D = System::dim>
double max_signal(const System& system, ConstView<D> u, const Box<D>& valid, const Vec<D>& dx) {
  return detail::max_of_cells<System>(
      u, valid, dx, [system](const typename System::State& state, const Vec<D>& per_dx) {
        return detail::signal_of(system, state, per_dx);
      });
}

/// The same, and infinity if a state is inadmissible: one pass over the cells answers both.
/// @units 1/time   @threads safe   @verified signal_test.cpp
template <HyperbolicSystem System, int D = System::dim>
double max_signal_if_admissible(const System& system, ConstView<D> u, const Box<D>& valid,
                                const Vec<D>& dx) {
  return detail::max_of_cells<System>(
      u, valid, dx, [system](const typename System::State& state, const Vec<D>& per_dx) {
        const double signal = detail::signal_of(system, state, per_dx);
        return system.admissible(state) ? signal : std::numeric_limits<double>::infinity();
      });
}

}  // namespace thalweg::numerics
