// SPDX-License-Identifier: MIT
// What is found wrong with a problem and settings of C++ before anything starts, and its sources.
#include <thalweg/app/problem.hpp>

#include <limits>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/numerics/conservation_law.hpp>

#include "../../../tests/support/text.hpp"
#include "carried.hpp"

namespace thalweg::app {
namespace {

using testing::Carried;
using thalweg::testing::error_of;
using thalweg::testing::expect_parts;

// What is wrong with settings that a test has changed.
template <class F>
std::string wrong_with(F change) {
  auto settings = testing::settings();
  change(settings);
  return error_of([&] { block_problem(testing::carried_spot(), settings); });
}

TEST(CheckSettings, takes_what_a_deck_could_say_and_a_time_without_end) {
  EXPECT_EQ(wrong_with([](auto&) {}), "");
  EXPECT_EQ(wrong_with([](auto& s) { s.regrid_buffer = 8; }), "");
  EXPECT_EQ(wrong_with([](auto& s) {
              s.mesh.block_cells = 16;
              s.regrid_buffer = {0, 16};
            }),
            "");
  EXPECT_EQ(wrong_with([](auto& s) { s.time.end = std::numeric_limits<double>::infinity(); }), "");
  EXPECT_EQ(
      wrong_with([](auto& s) { s.time.max_growth = std::numeric_limits<double>::infinity(); }), "");
}

TEST(CheckSettings, takes_any_courant_number_of_a_scheme_that_says_no_largest_one) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto wrong_with_cfl = [](double cfl, double max_courant) {
    auto settings = testing::settings();
    settings.time.cfl = cfl;
    return error_of([&] { check_settings(settings, max_courant); });
  };
  EXPECT_EQ(wrong_with_cfl(3, infinity), "");
  EXPECT_EQ(wrong_with_cfl(3, 3), "");
  expect_parts(wrong_with_cfl(3, 2), {"time.cfl = 3", "up to 2"});
  expect_parts(wrong_with_cfl(0, infinity), {"time.cfl = 0", "(0, inf)"});
  expect_parts(wrong_with_cfl(infinity, infinity), {"time.cfl = inf"});
}

/// What schemes may say of the Courant number, with nothing else.
struct ByFunction {
  double max_courant() const { return 0.25; }
};
struct ByConstant {
  static constexpr double max_courant = 0.25;
};

TEST(CheckSettings, reads_the_largest_courant_number_of_a_function_or_a_constant) {
  EXPECT_EQ(detail::max_courant_of(ByFunction{}), 0.25);
  EXPECT_EQ(detail::max_courant_of(ByConstant{}), 0.25);
}

TEST(CheckSettings, refuses_what_a_deck_could_not_say) {
  for (const int buffer : {-1, 9, 64, 99})
    expect_parts(wrong_with([&](auto& s) { s.regrid_buffer = buffer; }),
                 {"regrid.buffer = " + std::to_string(buffer), "[0, 8]"});
  expect_parts(wrong_with([&](auto& s) { s.regrid_buffer = {2, 11}; }), {"regrid.buffer = 11"});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_parts(wrong_with([&](auto& s) { s.time.end = nan; }), {"time.end = nan"});
  expect_parts(wrong_with([&](auto& s) { s.time.cfl = nan; }), {"time.cfl = nan"});
  expect_parts(wrong_with([](auto& s) { s.time.cfl = 0.6; }),
               {"time.cfl = 0.6 (the scheme is stable up to 0.5)"});
}

TEST(CheckSettings, says_all_that_is_wrong) {
  expect_parts(
      wrong_with([](auto& s) {
        s.time = {.end = -1,
                  .max_steps = -1,
                  .cfl = 0,
                  .max_growth = 1,
                  .initial_shrink = 2,
                  .max_dt = -1,
                  .retries = -1};
        s.regrid_interval = -1;
        s.max_comm_tasks = -1;
        s.partition.threshold = {0.5};
      }),
      {"time.end = -1", "time.max_steps = -1", "time.cfl = 0", "time.max_growth = 1",
       "time.initial_shrink = 2", "time.max_dt = -1", "time.retries = -1", "regrid.interval = -1",
       "exchange.max_comm_tasks = -1", "partition.threshold = 0.5"});
}

TEST(Simulation, returns_what_is_wrong_with_its_settings) {
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(2, files, [](const Context& context) {
    auto settings = testing::settings();
    settings.mesh.block_cells = 3;
    const auto made = Simulation<Carried>::create(context, testing::carried_spot(), settings);
    ASSERT_FALSE(made);
    expect_parts(made.error().message, {"mesh.block_cells = 3"});
  });
  EXPECT_TRUE(done) << done.error().message;
}

struct Heat {
  double u;
};
struct Conduction : numerics::ConservationLaw<Conduction, 2, Heat> {
  double diffusivity = 0;
  Heat flux(Heat, int) const { return {0}; }
  numerics::Speeds speeds(Heat, int) const { return {0, 0}; }
  Heat diffusive_flux(Heat below, Heat above, double dx, int) const {
    return {diffusivity * (below.u - above.u) / dx};
  }
};

TEST(CheckDiffusivity, refuses_what_would_not_bound_the_time_step) {
  const auto complaint = [](double diffusivity) {
    return error_of([&] { detail::check_diffusivity(Conduction{{}, diffusivity}); });
  };
  EXPECT_EQ(complaint(0), "");
  EXPECT_EQ(complaint(2), "");
  for (const double k :
       {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    expect_parts(complaint(k), {"diffusivity " + fmt::format("{}", k), "0 or more"});
}

TEST(CheckSplitSources, refuses_ghost_cells_on_which_sources_act_for_another_part_of_the_step) {
  using enum numerics::Boundary;
  const auto complaint = [](numerics::Boundary side, bool subcycle, int max_level) {
    const std::array sides{outflow, side};
    return error_of([&] { detail::check_split_sources(sides, {.subcycle = subcycle}, max_level); });
  };
  EXPECT_EQ(complaint(fixed, true, 0), "");
  EXPECT_EQ(complaint(reflecting, false, 2), "");
  expect_parts(complaint(outflow, true, 1), {"time.subcycle = true", "set time.subcycle to false"});
  expect_parts(complaint(dirichlet, false, 0), {"of first order", "take a scheme as vl2"});
}

struct Dusty {
  double rho;
  Vec<2> mom;
  double dust;
  Vec<2> dust_mom;
};

/// Gas and dust that do not feel each other.
struct DustyGas : numerics::ConservationLaw<DustyGas, 2, Dusty> {
  Dusty flux(Dusty w, int axis) const {
    return {w.mom[axis], (w.mom[axis] / w.rho) * w.mom + w.rho * Vec<2>::unit(axis),
            w.dust_mom[axis], (w.dust_mom[axis] / w.dust) * w.dust_mom};
  }
  numerics::Speeds speeds(Dusty, int) const { return {-1, 1}; }
};

TEST(CheckWalls, refuses_a_law_of_which_something_would_flow_through) {
  const auto complaint = [](numerics::Boundary upper_y) {
    Problem<numerics::Vl2<DustyGas>> problem{
        .scheme = {}, .initial = [](const auto&) { return Dusty{1, {}, 1, {}}; }};
    problem.boundaries.fill(numerics::Boundary::outflow);
    problem.boundaries[3] = upper_y;
    return error_of([&] { block_problem(problem, testing::settings()); });
  };
  EXPECT_EQ(complaint(numerics::Boundary::outflow), "");
  expect_parts(complaint(numerics::Boundary::reflecting), {"of y", "'u3'", "mirror(u, axis)"});
}

/// Heat that rises along x, so that the mean of fine cells is that of the coarse one.
TEST(Source, of_a_cell_knows_its_place_and_changes_the_total_by_its_integral_on_all_levels) {
  auto problem = testing::carried_spot();
  problem.source = [](const numerics::CellContext<2>& cell, Carried::State u, double dt) {
    return Carried::State{u.q + dt * cell.centre[0]};
  };
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(2, files, [&](const Context& context) {
    const auto simulation = testing::made(context, problem, testing::settings());
    const double before = simulation->totals()[0];
    ASSERT_TRUE(simulation->advance_to(10));
    EXPECT_EQ(simulation->mesh().n_levels(), 3);
    EXPECT_NEAR(simulation->totals()[0] - before, 0.5 * simulation->time_state().time, 1e-13);
  });
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace
}  // namespace thalweg::app
