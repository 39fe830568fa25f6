// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include <thalweg/numerics/scheme.hpp>

#include "owned.hpp"

namespace thalweg::numerics::test {

/// Mean error after a sine wave went round a periodic interval of n cells.
/// @tparam S  a scheme for Advection<1>
/// @param courant  such that a round is a whole number of steps
template <BlockScheme S>
double error_of_round_trip(int n, const S& scheme = {}, double courant = 0.4, int n_rounds = 1) {
  const Box<1> valid = Box<1>::cube(n);
  const double dx = 1.0 / n, dt = courant * dx;
  const auto exact = [&](int i) {
    constexpr double k = 2 * std::numbers::pi;
    return 2.0 + (std::cos(k * i * dx) - std::cos(k * (i + 1) * dx)) / (k * dx);
  };
  Owned<1> u(valid.grown(S::n_ghosts), 1);
  u.fill([&](int, const Index<1>& i) { return exact(i[0]); });
  std::vector<std::byte> scratch(scheme.scratch_bytes(valid));

  Owned<1> start(valid.grown(S::n_ghosts), 1);
  const auto n_steps = n_rounds * std::lround(n / courant);
  for (std::int64_t step = 0; step < n_steps; ++step) {
    for (std::size_t k = 0; k < scheme.stages().size(); ++k) {
      for (int g = 1; g <= S::n_ghosts; ++g) {
        u()[0, Index<1>{{-g}}] = u[0, Index<1>{{n - g}}];
        u()[0, Index<1>{{n - 1 + g}}] = u[0, Index<1>{{g - 1}}];
      }
      if (k == 0) start.fill([&](int, const Index<1>& i) { return u[0, i]; });
      scheme.update_stage(k, u(), start(), valid, {dt, {{dx}}}, scratch);
    }
  }
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += std::abs(u[0, Index<1>{{i}}] - exact(i));
  return sum / n;
}

}  // namespace thalweg::numerics::test
