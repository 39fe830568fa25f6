// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/core/random.hpp>
#include <thalweg/hydro/euler.hpp>

namespace thalweg::hydro::test {

/// A gas state somewhere between calm and violent; each component differs from the others.
template <int D>
typename Euler<D>::Primitive random_primitive(SplitMix64& random) {
  typename Euler<D>::Primitive w{
      .rho = 0.1 + random.uniform(), .vel = {}, .p = 0.1 + random.uniform()};
  for (int a = 0; a < D; ++a) w.vel[a] = 4.0 * random.uniform() - 2.0;
  return w;
}

}  // namespace thalweg::hydro::test
