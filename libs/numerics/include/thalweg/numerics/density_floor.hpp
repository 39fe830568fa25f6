// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>

#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// A system whose density may have a floor.
///
/// - density_floor(): the least density; 0: there is none, and schemes have the bits that they have
///   without one;
/// - density_at: its place among the components of a State, all of which are proportional to it.
template <class S>
concept FlooredSystem = HyperbolicSystem<S> && requires(const S s) {
  { s.density_floor() } -> std::same_as<double>;
  { S::density_at } -> std::convertible_to<int>;
};

/// Raise the thinner ones of a row of n conserved states to the density floor, at the velocity, the
/// inner energy per mass and the shares of scalars that they have; how many there were. It adds
/// mass, momentum and energy. A density that is not positive stays: the state is none.
/// @threads safe on distinct rows   @verified density_floor_test.cpp
template <HyperbolicSystem System>
std::int64_t raise_to_floor(const System& system, int n, double* u, std::ptrdiff_t stride) {
  std::int64_t n_raised = 0;
  if constexpr (FlooredSystem<System>) {
    const double least = system.density_floor();
    const double* const rho = u + System::density_at * stride;
    if (least <= 0 || !any_in_row(n, [=](int i) { return rho[i] < least; })) return 0;
    for (int i = 0; i < n; ++i) {
      if (rho[i] <= 0 || rho[i] >= least) continue;
      const double scale = least / rho[i];
      for (int k = 0; k < System::n_components; ++k) u[i + k * stride] *= scale;
      u[i + System::density_at * stride] = least;
      ++n_raised;
    }
  }
  return n_raised;
}

}  // namespace thalweg::numerics
