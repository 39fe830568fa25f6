// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <vector>

#include <thalweg/hydro/euler.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::hydro::bench {

/// A block of a smooth subsonic flow, with ghost cells.
template <int D, class Scheme_>
struct Block {
  using Scheme = Scheme_;

  explicit Block(int n)
      : valid(Box<D>::cube(n)),
        numbers(View<double, D>::size_of(valid.grown(Scheme::n_ghosts), D + 2)),
        u(numbers.data(), valid.grown(Scheme::n_ghosts), D + 2),
        scratch(Scheme{}.scratch_bytes(valid)),
        dx(Vec<D>::filled(1.0 / n)) {
    for_each(u.box(), [&](const Index<D>& i) {
      double phase = 0;
      for (int a = 0; a < D; ++a) phase += (a + 1) * i[a];
      const double wave = std::sin(0.3 * phase);
      numerics::store(
          Euler<D>{}.to_conserved(
              {.rho = 1.0 + 0.1 * wave, .vel = Vec<D>::filled(0.1 * wave), .p = 1.0 - 0.1 * wave}),
          u.at(0, i), u.component_stride());
    });
  }

  /// All stages of one step, so small that the flow stays as it is.
  void update() {
    for (std::size_t k = 0; k < Scheme{}.stages().size(); ++k)
      Scheme{}.update_stage(k, u, u, valid, {1e-9 * dx[0], dx}, scratch);
  }

  Box<D> valid;
  std::vector<double> numbers;
  View<double, D> u;
  std::vector<std::byte> scratch;
  Vec<D> dx;
};

}  // namespace thalweg::hydro::bench
