// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <gtest/gtest.h>

#include <thalweg/hydro/problems.hpp>

#include "one_block.hpp"

namespace thalweg::hydro::test {

/// The error of a linear wave after one period, cells of edge 1 / n_per_length.
template <class Scheme, int D = Scheme::dim>
double wave_error(const LinearWave<D>& wave, double n_per_length, double cfl = 0.3) {
  Index<D> n_cells;
  for (int a = 0; a < D; ++a)
    n_cells[a] = static_cast<int>(std::lround(n_per_length * wave.box[a]));
  OneBlock<D, Scheme> block(wave, {.n_cells = n_cells, .upper = wave.box, .cfl = cfl});
  EXPECT_TRUE(block.run_until(wave.period()));
  EXPECT_EQ(block.fallbacks(), numerics::Fallbacks{});
  return block.error_norm(wave);
}

/// Expect the same error of a wave along x, y and z.
template <class Scheme>
void expect_same_error_along_each_axis() {
  const auto error_along = [](int axis) {
    LinearWave<3> wave{.box = Vec<3>::filled(0.25), .n_waves = Index<3>::unit(axis)};
    wave.box[axis] = 1.0;
    return wave_error<Scheme>(wave, 16);
  };
  const double along_x = error_along(0);
  // Not to the bit: the axes are summed in the same order in all.
  EXPECT_NEAR(error_along(1) / along_x, 1.0, 1e-6);
  EXPECT_NEAR(error_along(2) / along_x, 1.0, 1e-6);
}

}  // namespace thalweg::hydro::test
