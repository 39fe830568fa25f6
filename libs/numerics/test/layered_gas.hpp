// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/core/view.hpp>
#include <thalweg/numerics/conservation_law.hpp>
#include <thalweg/numerics/gravity_system.hpp>

namespace thalweg::numerics::test {

template <int D>
struct LayeredState {
  double rho;
  Vec<D> vel;
  double p;

  constexpr bool operator==(const LayeredState&) const = default;
};

/// The least of a gas that gravity needs: its flux is none.
template <int D>
struct LayeredGas : ConservationLaw<LayeredGas<D>, D, LayeredState<D>> {
  using State = LayeredState<D>;
  static constexpr int density_at = 0, velocity_at = 1, pressure_at = D + 1;

  Vec<D> gravity{};

  constexpr Vec<D> acceleration() const { return gravity; }
  constexpr State raise_pressure(State u, double dp) const {
    u.p += dp;
    return u;
  }
  constexpr bool admissible(State u) const { return u.p > 0; }
  constexpr State flux(State, int) const { return {}; }
  constexpr Speeds speeds(State, int) const { return {-1, 1}; }
  constexpr State mirror(State u, int axis) const {
    u.vel[axis] = -u.vel[axis];
    return u;
  }
  static constexpr int n_waves = 1;
  constexpr double wave_speed(State, int, int) const { return 0; }
  constexpr State wave_part(State, State dw, int, int) const { return dw; }
};

static_assert(GravitySystem<LayeredGas<2>>);

constexpr LayeredGas<2> layered_gas(const Vec<2>& gravity) {
  LayeredGas<2> gas;
  gas.gravity = gravity;
  return gas;
}

/// By how much the pressure of a cell is not what holds the weight between the cell before and it.
template <int D>
double imbalance(const LayeredGas<D>& gas, const View<double, D>& u, const Index<D>& cell, int axis,
                 double dx) {
  const Index<D> before = cell - Index<D>::unit(axis);
  const double weight = 0.5 * dx * gas.gravity[axis] * (u[0, before] + u[0, cell]);
  return u[D + 1, cell] - u[D + 1, before] - weight;
}

}  // namespace thalweg::numerics::test
