// SPDX-License-Identifier: MIT
#include <cstdint>

#include <gtest/gtest.h>

#include <thalweg/hydro/problems.hpp>
#include <thalweg/hydro/riemann_lhllc.hpp>
#include <thalweg/hydro/riemann_two_shock.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/riemann_roe.hpp>
#include <thalweg/numerics/update_ctu.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>

#include "one_block.hpp"
#include "random_state.hpp"

namespace thalweg::hydro {
namespace {

template <int D>
struct Uniform {
  Euler<D> gas{};
  typename Euler<D>::Primitive state{};

  GasState<D> operator()(const numerics::CellContext<D>&) const { return gas.to_conserved(state); }
};

template <int D, class Scheme>
void expect_uniform_flow_stays_the_same(std::uint64_t seed) {
  SplitMix64 random(seed);
  const Uniform<D> uniform{.state = test::random_primitive<D>(random)};
  test::OneBlock<D, Scheme> block(uniform, {.n_cells = Index<D>::filled(8)});

  for (int n = 0; n < 5; ++n) block.step(0.01);

  const auto before = uniform({});
  for_each(block.valid(), [&](const Index<D>& i) { EXPECT_EQ(block.at(i), before); });
  EXPECT_EQ(block.fallbacks(), numerics::Fallbacks{});
}

template <int D>
void expect_for_all_solvers() {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    expect_uniform_flow_stays_the_same<D, numerics::Vl2<Euler<D>>>(seed);
    expect_uniform_flow_stays_the_same<
        D, numerics::Vl2<Euler<D>, numerics::PlmVanLeer, numerics::RiemannHlle>>(seed);
    expect_uniform_flow_stays_the_same<D,
                                       numerics::Vl2<Euler<D>, numerics::PlmVanLeer, RiemannLhllc>>(
        seed);
    expect_uniform_flow_stays_the_same<
        D, numerics::Ctu<Euler<D>, numerics::PpmExtrema, RiemannTwoShock>>(seed);
    expect_uniform_flow_stays_the_same<
        D, numerics::RungeKutta<Euler<D>, numerics::PpmExtrema, numerics::RiemannRoe>>(seed);
  }
}

TEST(FreeStream, stays_the_same_to_the_bit) {
  expect_for_all_solvers<1>();
  expect_for_all_solvers<2>();
  expect_for_all_solvers<3>();
}

}  // namespace
}  // namespace thalweg::hydro
