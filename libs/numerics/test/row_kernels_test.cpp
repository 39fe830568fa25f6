// SPDX-License-Identifier: MIT
// Schemes whose rules are values do what those with the same rules as types do.
#include <thalweg/numerics/row_kernels.hpp>

#include <cmath>
#include <concepts>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/numerics/correction_kernels.hpp>
#include <thalweg/numerics/riemann_llf.hpp>
#include <thalweg/numerics/update_ctu.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>
#include <thalweg/numerics/update_vl2.hpp>

#include "advection.hpp"
#include "owned.hpp"

namespace thalweg::numerics {
namespace {

using System = test::Advection<3>;
static_assert(BlockScheme<Vl2Rows<System>> && BlockScheme<RungeKuttaRows<System>> &&
              BlockScheme<CtuRows<System>>);
// There is no contact wave in it.
static_assert(std::same_as<Vl2<System>::Riemann, RiemannHlle>);
static_assert(RiemannSolver<RiemannLlf, System>);

constexpr Box<3> valid = Box<3>::cube(4);

/// The valid cells after a step of a wave that runs askew.
template <class S>
std::vector<double> after_step(const S& scheme) {
  test::Owned<3> u(valid.grown(scheme.n_ghosts), 1);
  u.fill([](int, const Index<3>& i) { return 2.0 + std::sin(i[0] + 2.0 * i[1] - 0.7 * i[2]); });
  std::vector<std::byte> scratch(scheme.scratch_bytes(valid));
  for (std::size_t k = 0; k < scheme.stages().size(); ++k)
    scheme.update_stage(k, u(), u(), valid, {0.1, Vec<3>::filled(1.0)}, scratch);
  std::vector<double> cells;
  for_each(valid, [&](const Index<3>& i) { cells.push_back(u[0, i]); });
  return cells;
}

template <class S, class T>
void expect_same_step(const S& a, const T& b) {
  EXPECT_EQ(int{a.n_ghosts}, int{b.n_ghosts});
  ASSERT_EQ(a.scratch_bytes(valid), b.scratch_bytes(valid));
  EXPECT_EQ(after_step(a), after_step(b));
}

const System system{.velocity = {{0.5, -2.0, 1.0}}};

template <class Rule, class Riemann>
void expect_same_with_any_scheme() {
  const RowKernels<System> kernels{system, edge_kernel<Rule>, face_kernels<System, Riemann>};
  expect_same_step(Vl2<System, Rule, Riemann>{system}, Vl2Rows<System>{kernels});
  expect_same_step(RungeKutta<System, Rule, Riemann>{system, 2},
                   RungeKuttaRows<System>{kernels, 2});
  expect_same_step(Ctu<System, Rule, Riemann>{system},
                   CtuRows<System>{kernels, correction_kernels<System, Riemann>});
}

TEST(RowKernels, make_the_steps_of_the_rules_that_they_are_made_of) {
  expect_same_with_any_scheme<PlmVanLeer, RiemannHlle>();
  expect_same_with_any_scheme<PpmExtrema, RiemannLlf>();
}

TEST(RowKernels, have_the_ghost_cells_of_their_reconstruction) {
  const auto ghosts = [](const EdgeKernel& edges) {
    return Vl2Rows<System>{{system, edges, face_kernels<System, RiemannHlle>}}.n_ghosts;
  };
  EXPECT_EQ(ghosts(edge_kernel<DonorCell>), 1);
  EXPECT_EQ(ghosts(edge_kernel<PlmVanLeer>), 2);
  EXPECT_EQ(ghosts(edge_kernel<PpmClassic>), 3);
}

TEST(RowKernels, of_other_rules_make_other_steps) {
  const auto with = [](const EdgeKernel& edges) {
    return after_step(Vl2Rows<System>{{system, edges, face_kernels<System, RiemannHlle>}});
  };
  EXPECT_NE(with(edge_kernel<PlmVanLeer>), with(edge_kernel<PpmClassic>));
  EXPECT_NE(with(edge_kernel<PpmExtrema>), with(edge_kernel<PpmClassic>));
}

}  // namespace
}  // namespace thalweg::numerics
