// SPDX-License-Identifier: MIT
// The method of lines with Runge-Kutta methods, beside Athena++.
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include <thalweg/hydro/problems.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>

#include "one_block.hpp"
#include "wave_error.hpp"

namespace thalweg::hydro {
namespace {

template <int D>
using Rk3 = numerics::RungeKutta<Euler<D>>;
template <int D>
using Rk3Plm = numerics::RungeKutta<Euler<D>, numerics::PlmVanLeer>;

using test::wave_error;

TEST(LinearWave, of_rk3_with_parabolas_converges_with_third_order_or_better) {
  for (const Wave kind : {Wave::sound_backward, Wave::sound_forward, Wave::entropy}) {
    const LinearWave<1> wave{.wave = kind};
    EXPECT_GT(std::log2(wave_error<Rk3<1>>(wave, 32) / wave_error<Rk3<1>>(wave, 64)), 3.8);
  }
}

TEST(LinearWave, of_rk3_has_the_same_error_along_each_axis) {
  test::expect_same_error_along_each_axis<Rk3<3>>();
}

/// Athena++, RK3 PPM HLLC: 9.56e-8, 5.79e-9 (sound) and 5.82e-8, 4.13e-9 (entropy) on 16 and 32
/// cells along x.
TEST(LinearWave, of_rk3_oblique_in_three_dimensions_is_below_the_published_error) {
  const LinearWave<3> sound{.box = {{3.0, 1.5, 1.5}}, .n_waves = {{1, 1, 1}}};
  EXPECT_NEAR(wave_error<Rk3<3>>(sound, 16 / 3.0), 9.02e-8, 0.02e-8);
  EXPECT_NEAR(wave_error<Rk3<3>>(sound, 32 / 3.0), 5.71e-9, 0.02e-9);
  LinearWave<3> entropy = sound;
  entropy.wave = Wave::entropy;
  EXPECT_NEAR(wave_error<Rk3<3>>(entropy, 16 / 3.0), 5.49e-8, 0.02e-8);
  EXPECT_NEAR(wave_error<Rk3<3>>(entropy, 32 / 3.0), 4.07e-9, 0.02e-9);
}

/// L1 errors of Sod's tube at CFL 0.8, against the exact solution at cell centres.
template <class Scheme>
std::array<double, 3> sod_errors(int n) {
  const ShockTube<1> sod{.n_subsamples = 1};
  numerics::Boundaries<1> outflow;
  outflow.fill(numerics::Boundary::outflow);
  test::OneBlock<1, Scheme> block(
      sod,
      {.n_cells = {{n}}, .lower = {{-0.5}}, .upper = {{0.5}}, .boundaries = outflow, .cfl = 0.8});
  EXPECT_TRUE(block.run_until(0.25));
  return block.errors([&](const auto& cell) { return sod.exact(cell); });
}

TEST(Sod, of_rk3_has_the_error_that_athena_has) {
  // Density, momentum and energy of Athena++ with rk3, xorder = 2 or 3 and HLLC, run beside this.
  EXPECT_NEAR(sod_errors<Rk3Plm<1>>(128)[0] / 4.460e-3, 1.0, 0.0015);
  EXPECT_NEAR(sod_errors<Rk3Plm<1>>(256)[0] / 2.457e-3, 1.0, 0.0015);
  EXPECT_NEAR(sod_errors<Rk3<1>>(128)[0] / 3.400e-3, 1.0, 0.02);
  EXPECT_NEAR(sod_errors<Rk3<1>>(256)[0] / 1.716e-3, 1.0, 0.0035);
  EXPECT_NEAR(sod_errors<Rk3<1>>(256)[1] / 1.620e-3, 1.0, 0.009);
  EXPECT_NEAR(sod_errors<Rk3<1>>(256)[2] / 3.382e-3, 1.0, 0.02);
}

}  // namespace
}  // namespace thalweg::hydro
