// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/core/box.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/hydro/euler.hpp>
#include <thalweg/numerics/rows.hpp>

namespace thalweg::hydro {

/// A constant acceleration as a source term: exact for any dt where nothing else acts.
///
///     mom += dt rho g,    E += dt mom g + dt^2 rho g^2 / 2,    rho and the inner energy stay
///
/// Of a gas in a periodic box with one level the momentum grows by dt M g in each step, and the
/// energy by what that work is, to rounding and whatever the gas does.
/// @verified gravity_test.cpp
template <int D>
struct Gravity {
  Vec<D> acceleration{};

  constexpr typename Euler<D>::State operator()(typename Euler<D>::State u, double dt) const {
    const Vec<D> kick = dt * acceleration;
    u.energy += dot(u.mom, kick) + 0.5 * u.rho * dot(kick, kick);
    u.mom += u.rho * kick;
    return u;
  }
  /// Accelerate all cells of a region. @threads safe on distinct regions
  void operator()(const View<double, D>& cells, const Box<D>& region, double dt) const {
    using State = typename Euler<D>::State;
    for_each_row(region, [&](const Index<D>& row, int n) {
      double* const q = cells.at(0, row);
      numerics::for_each_in_row(n, [=, *this, stride = cells.component_stride()](int i) {
        numerics::store((*this)(numerics::load<State>(q + i, stride), dt), q + i, stride);
      });
    });
  }
};

}  // namespace thalweg::hydro
