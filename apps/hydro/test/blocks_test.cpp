// SPDX-License-Identifier: MIT
#include <cstddef>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/hydro/problems.hpp>
#include <thalweg/hydro/riemann_two_shock.hpp>
#include <thalweg/numerics/ppm.hpp>
#include <thalweg/numerics/update_ctu.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>

#include "one_block.hpp"

namespace thalweg::hydro::blocks {
namespace {

/// A block of a domain that another, larger block covers: takes its ghost cells from there.
template <int D, class Scheme>
struct Part {
  explicit Part(const Box<D>& cells)
      : valid(cells),
        numbers(View<double, D>::size_of(cells.grown(Scheme::n_ghosts), D + 2)),
        u(numbers.data(), cells.grown(Scheme::n_ghosts), D + 2),
        scratch(Scheme{}.scratch_bytes(cells)) {}

  Box<D> valid;
  std::vector<double> numbers;
  std::vector<double> start;
  View<double, D> u;
  std::vector<std::byte> scratch;
};

/// Step a domain as one block and as blocks of edge n with copied ghost cells: the same bits.
template <class Scheme, class Problem, int D = Scheme::dim>
void expect_blocks_agree(const Problem& problem, double dt, int n_steps) {
  constexpr int n = 8;
  test::OneBlock<D, Scheme> whole(problem, {.n_cells = Index<D>::filled(2 * n),
                                            .lower = Vec<D>::filled(-0.5),
                                            .upper = Vec<D>::filled(0.5)});
  using Part = Part<D, Scheme>;
  std::vector<std::unique_ptr<Part>> parts;
  for_each(Box<D>::cube(2), [&](const Index<D>& at) {
    parts.push_back(std::make_unique<Part>(Box<D>::cube(n).shifted(at * n)));
    numerics::copy_cells(whole.cells(), parts.back()->u, parts.back()->valid);
  });

  const Scheme scheme{problem.gas};
  for (int step = 0; step < n_steps; ++step) {
    for (std::size_t k = 0; k < scheme.stages().size(); ++k) {
      whole.fill_ghosts();
      for (auto& part : parts) {
        // The whole block's cells stand for those of the neighbours: compared after each step.
        const auto valid = part->valid;
        for_each(part->u.box(), [&](const Index<D>& i) {
          if (valid.contains(i)) return;
          for (int c = 0; c < D + 2; ++c) part->u[c, i] = whole.cells()[c, i];
        });
        if (k == 0) part->start = part->numbers;
        const View<const double, D> start(part->start.data(), part->u.box(), D + 2);
        scheme.update_stage(k, part->u, start, valid, {dt, whole.dx()}, part->scratch);
      }
      whole.stage(k, dt);
    }
    for (const auto& part : parts)
      for_each(part->valid, [&](const Index<D>& i) {
        for (int c = 0; c < D + 2; ++c) ASSERT_EQ((part->u[c, i]), (whole.cells()[c, i]));
      });
  }
}

template <int D>
using Vl2 = numerics::Vl2<Euler<D>>;
template <int D>
using Vl2Ppm = numerics::Vl2<Euler<D>, numerics::PpmExtrema>;
template <int D>
using CtuPpm = numerics::Ctu<Euler<D>, numerics::PpmClassic, RiemannTwoShock>;

template <int D>
using Rk3 = numerics::RungeKutta<Euler<D>>;

template <template <int> class Scheme>
void expect_blocks_agree_in_all_dimensions() {
  expect_blocks_agree<Scheme<1>>(Blast<1>{.velocity = {{0.3}}}, 2e-3, 10);
  expect_blocks_agree<Scheme<2>>(Blast<2>{.centre = {{0.1, 0.0}}, .velocity = {{0.3, -0.2}}}, 2e-3,
                                 8);
  expect_blocks_agree<Scheme<3>>(Blast<3>{.centre = {{0.1, 0.0, -0.1}}, .radius = 0.2}, 2e-3, 5);
}

TEST(Blocks, agree_with_one_block_to_the_bit) {
  expect_blocks_agree_in_all_dimensions<Vl2>();
  expect_blocks_agree_in_all_dimensions<Vl2Ppm>();
  expect_blocks_agree_in_all_dimensions<CtuPpm>();
  expect_blocks_agree_in_all_dimensions<Rk3>();
}

TEST(Blocks, agree_also_where_fluxes_are_limited) {
  const Blast<2> violent{.velocity = {{20.0, 0.0}}, .p_inside = 1e4, .p_outside = 1e-6};
  test::OneBlock<2> whole(violent, {.n_cells = Index<2>::filled(16),
                                    .lower = Vec<2>::filled(-0.5),
                                    .upper = Vec<2>::filled(0.5)});
  for (int n = 0; n < 3; ++n) whole.step(1.2e-4);
  EXPECT_GT(whole.fallbacks().limited_fluxes, 0);  // or the test would not test it

  expect_blocks_agree<Vl2<2>>(violent, 1.2e-4, 3);
}

}  // namespace
}  // namespace thalweg::hydro::blocks
