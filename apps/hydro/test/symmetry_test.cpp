// SPDX-License-Identifier: MIT
// What is mirrored stays mirrored, and what runs along x runs along y and z, to the bit.
#include <algorithm>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include <thalweg/hydro/problems.hpp>
#include <thalweg/hydro/riemann_lhllc.hpp>
#include <thalweg/hydro/riemann_two_shock.hpp>
#include <thalweg/numerics/ppm.hpp>
#include <thalweg/numerics/riemann_roe.hpp>
#include <thalweg/numerics/update_ctu.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>

#include "one_block.hpp"

namespace thalweg::hydro::symmetry {
namespace {

using Gas = Euler<3>;
using Vl2Plm = numerics::Vl2<Gas>;
using Vl2Ppm = numerics::Vl2<Gas, numerics::PpmExtrema>;
using Vl2Roe = numerics::Vl2<Gas, numerics::PlmVanLeer, numerics::RiemannRoe>;
using Vl2Lhllc = numerics::Vl2<Gas, numerics::PpmExtrema, RiemannLhllc>;
using Rk3Ppm = numerics::RungeKutta<Gas>;
using CtuHllc = numerics::Ctu<Gas, numerics::PpmExtrema>;
using CtuTwoShock = numerics::Ctu<Gas, numerics::PpmClassic, RiemannTwoShock>;

template <class Scheme>
class Symmetry : public ::testing::Test {};
using Schemes = ::testing::Types<Vl2Plm, Vl2Ppm, Vl2Roe, Vl2Lhllc, Rk3Ppm, CtuHllc, CtuTwoShock>;
TYPED_TEST_SUITE(Symmetry, Schemes);

TYPED_TEST(Symmetry, of_a_blast_in_the_full_cube_holds_to_the_bit) {
  constexpr int n = 16;
  test::OneBlock<3, TypeParam> block(Sedov<3>{.radius = 0.12}, {.n_cells = Index<3>::filled(n),
                                                                .lower = Vec<3>::filled(-0.5),
                                                                .upper = Vec<3>::filled(0.5)});
  EXPECT_TRUE(block.run_until(0.02));
  std::int64_t n_different = 0;
  for_each(block.valid(), [&](const Index<3>& i) {
    for (int a = 0; a < 3; ++a) {
      Index<3> other = i;
      other[a] = n - 1 - i[a];
      n_different += block.at(i) == Gas{}.mirror(block.at(other), a) ? 0 : 1;
    }
  });
  EXPECT_EQ(n_different, 0);
}

/// Sod's tube along an axis, a few cells wide along the others, after a while.
template <class Scheme>
test::OneBlock<3, Scheme> tube_along(int axis) {
  Index<3> n_cells = Index<3>::filled(4);
  n_cells[axis] = 32;
  Vec<3> lower = Vec<3>::filled(-0.0625), upper = Vec<3>::filled(0.0625);
  lower[axis] = -0.5;
  upper[axis] = 0.5;
  numerics::Boundaries<3> sides{};
  const auto face = 2 * static_cast<std::size_t>(axis);
  sides[face] = sides[face + 1] = numerics::Boundary::outflow;
  test::OneBlock<3, Scheme> block(
      ShockTube<3>{.axis = axis},
      {.n_cells = n_cells, .lower = lower, .upper = upper, .boundaries = sides});
  EXPECT_TRUE(block.run_until(0.2));
  return block;
}

TYPED_TEST(Symmetry, of_axes_gives_sods_tube_the_same_bits_along_each) {
  const auto x = tube_along<TypeParam>(0);
  for (const int axis : {1, 2}) {
    const auto turned = tube_along<TypeParam>(axis);
    EXPECT_EQ(turned.n_steps(), x.n_steps());
    std::int64_t n_different = 0;
    for_each(x.valid(), [&](const Index<3>& i) {
      Index<3> j = i;
      std::swap(j[0], j[axis]);
      auto u = turned.at(j);
      std::swap(u.mom[0], u.mom[axis]);
      n_different += x.at(i) == u ? 0 : 1;
    });
    EXPECT_EQ(n_different, 0) << "along axis " << axis;
  }
}

}  // namespace
}  // namespace thalweg::hydro::symmetry
