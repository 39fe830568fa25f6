// SPDX-License-Identifier: MIT
#include <thalweg/numerics/runge_kutta.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>

#include "advection.hpp"
#include "owned.hpp"
#include "round_trip.hpp"

namespace thalweg::numerics {
namespace {

template <int D, class Rule = PpmExtrema>
using Lines = RungeKutta<test::Advection<D>, Rule, RiemannHlle>;
static_assert(BlockScheme<Lines<3>>);

TEST(RungeKutta, converges_with_the_lesser_order_of_space_and_time) {
  const auto order = []<class Rule>(Rule, int of_time) {
    const Lines<1, Rule> scheme{.order = of_time};
    return std::log2(test::error_of_round_trip(32, scheme) / test::error_of_round_trip(64, scheme));
  };
  EXPECT_NEAR(order(PlmVanLeer{}, 2), 2.0, 0.2);
  EXPECT_NEAR(order(PlmVanLeer{}, 3), 2.0, 0.3);
  EXPECT_NEAR(order(PpmExtrema{}, 2), 2.0, 0.2);
  // Faces are of fourth order on smooth flow; the third of time shows later.
  EXPECT_GT(order(PpmExtrema{}, 3), 2.9);
}

TEST(RungeKutta, of_two_stages_with_parabolas_keeps_short_waves_small_at_its_bound) {
  const Lines<1> scheme{.order = 2};
  const auto error = [&](double courant) {
    return test::error_of_round_trip(576, scheme, courant, 5);
  };
  EXPECT_LT(error(scheme.max_courant()), 0.01);  // limiters hold them at 0.006
  EXPECT_GT(error(0.9), 0.02);                   // they grow on and on, as at 1, where it is 0.09
}

TEST(RungeKutta, is_stable_as_far_as_euler_steps_but_of_two_stages_with_parabolas) {
  EXPECT_EQ((Lines<1>{.order = 3}.max_courant()), 1.0);
  EXPECT_EQ((Lines<1, PlmVanLeer>{.order = 2}.max_courant()), 1.0);
  EXPECT_EQ((Lines<1>{.order = 2}.max_courant()), undamped_max_courant);
  EXPECT_EQ((Lines<3>{.order = 2}.max_courant()), 1.0 / 3.0);
}

TEST(RungeKutta, stages_are_those_of_a_consistent_method) {
  for (const int order : {2, 3}) {
    const auto stages = Lines<1>{.order = order}.stages();
    ASSERT_EQ(stages.size(), static_cast<std::size_t>(order));
    double sum = 0, moment = 0;
    for (const Stage& stage : stages) {
      sum += stage.weight;
      moment += stage.weight * stage.begins;
    }
    EXPECT_DOUBLE_EQ(sum, 1.0);
    EXPECT_DOUBLE_EQ(moment, 0.5);
  }
}

TEST(RungeKutta, has_no_stages_of_other_orders) {
  for (const int order : {-3, 0, 1, 4}) EXPECT_THROW((Lines<1>{.order = order}.stages()), Error);
}

/// What flux registers rely on: with its weight each stage's fluxes add up to those of the step.
TEST(RungeKutta, reports_fluxes_whose_weighted_sum_changes_the_cells) {
  for (const int order : {2, 3}) {
    const Lines<2> scheme{.order = order};
    const Box<2> valid{{{3, -2}}, {{9, 6}}};
    test::Owned<2> u(valid.grown(scheme.n_ghosts), 1), start(valid.grown(scheme.n_ghosts), 1);
    const auto field = [](int, const Index<2>& i) { return 2 + std::sin(i[0] + 2.0 * i[1]); };
    u.fill(field);
    start.fill(field);
    std::vector<std::byte> scratch(scheme.scratch_bytes(valid));
    const StepSize<2> step{0.1, {{0.5, 0.25}}};
    test::Owned<2> expected(valid, 1);
    expected.fill(field);
    for (std::size_t k = 0; k < scheme.stages().size(); ++k) {
      const auto report = scheme.update_stage(k, u(), start(), valid, step, scratch);
      EXPECT_FALSE(report.inadmissible);
      for_each(valid, [&](const Index<2>& i) {
        for (int a = 0; a < 2; ++a) {
          const auto& flux = report.flux[static_cast<std::size_t>(a)];
          expected()[0, i] -= scheme.stages()[k].weight * step.dt / step.dx[a] *
                              (flux[0, i + Index<2>::unit(a)] - flux[0, i]);
        }
      });
    }
    for_each(valid, [&](const Index<2>& i) {
      EXPECT_NEAR((u[0, i]), (expected[0, i]), 1e-14);
      EXPECT_GT(std::abs(u[0, i] - start[0, i]), 1e-6);
    });
  }
}

TEST(RungeKutta, names_the_first_cell_that_a_stage_ruins) {
  const Lines<1> scheme{};
  const Box<1> valid = Box<1>::cube(8);
  test::Owned<1> u(valid.grown(scheme.n_ghosts), 1);
  u.fill([](int, const Index<1>& i) { return i[0] == 5 || i[0] == 6 ? -1.0 : 1.0; });
  std::vector<std::byte> scratch(scheme.scratch_bytes(valid));

  const auto report = scheme.update_stage(0, u(), u(), valid, {1e-6, {{1.0}}}, scratch);

  ASSERT_TRUE(report.inadmissible);
  EXPECT_EQ(*report.inadmissible, (Index<1>{{5}}));
}

TEST(RungeKutta, leaves_the_state_that_it_reports) {
  const Lines<1> scheme{};
  const Box<1> valid = Box<1>::cube(8);
  test::Owned<1> u(valid.grown(scheme.n_ghosts), 1), start(valid.grown(scheme.n_ghosts), 1);
  u.fill([](int, const Index<1>& i) { return i[0] == 5 ? -1.0 : 1.0; });
  start.fill([](int, const Index<1>&) { return 100.0; });
  std::vector<std::byte> scratch(scheme.scratch_bytes(valid));

  // This stage takes a mean with the start, which would be admissible.
  const auto report = scheme.update_stage(1, u(), start(), valid, {1e-6, {{1.0}}}, scratch);

  ASSERT_TRUE(report.inadmissible);
  EXPECT_EQ(*report.inadmissible, (Index<1>{{5}}));
  EXPECT_LT((u[0, Index<1>{{5}}]), 0.0);
}

}  // namespace
}  // namespace thalweg::numerics
