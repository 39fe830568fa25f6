// SPDX-License-Identifier: MIT
#include <thalweg/app/derived.hpp>

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/plot.hpp>
#include <thalweg/app/totals.hpp>
#include <thalweg/io/plotfile_read.hpp>
#include <thalweg/step/fill_levels.hpp>

#include "carried.hpp"

namespace thalweg::app {
namespace {

using testing::Carried;

/// The slope along x: reads neighbours, across blocks, levels and the sides of the domain.
const DerivedField<2> slope{
    .name = "slope",
    .unit = "",
    .reads = Reads::neighbours,
    .compute = compute_cells<Carried::State, 2>([](const auto& cell, const auto& here) {
      return (here(0, 1).q - here(0, -1).q) / (2.0 * cell.dx[0]);
    })};

/// How far a state is from the plane 10 + x + 2 y that the wind has moved: reads place and time.
const DerivedField<2> error{
    .name = "error",
    .unit = "",
    .compute = compute_cells<Carried::State, 2>([](const auto& cell, const auto& here) {
      return here().q - (10.0 + cell.centre[0] + 2.0 * cell.centre[1] - 2.0 * cell.time);
    })};

/// A plane 10 + x + 2 y on levels around its middle, after some steps in which the wind moves it.
Problem<Carried> plane() {
  auto problem = testing::carried_spot();
  const auto at = [](const Vec<2>& x, double t) {
    return Carried::State{10.0 + x[0] + 2.0 * x[1] - 2.0 * t};
  };
  problem.boundaries.fill(numerics::Boundary::dirichlet);
  problem.outside = [=](const auto& cell) { return at(cell.centre, cell.time); };
  problem.initial = [=](const auto& cell) { return at(cell.centre, 0); };
  problem.tag = [](const auto&, const auto& here) { return std::abs(here().q - 11.0) < 0.1; };
  return problem;
}

/// Expect that a plotfile has the plane, and behind it this field, of one value in all blocks.
void expect_everywhere(const io::FileSystem& files, const std::string& field, double value,
                       double tolerance) {
  const auto plot = io::read_plotfile(files, "plt");
  ASSERT_TRUE(plot) << plot.error().message;
  EXPECT_EQ(plot->variables, (std::vector<std::string>{"q", field}));
  ASSERT_FALSE(plot->levels.empty());
  for (const auto& level : plot->levels) {
    ASSERT_FALSE(level.records.empty());
    for (const auto& record : level.records) {
      EXPECT_GT(record.extrema.at(0).min, 9.0);
      EXPECT_NEAR(record.extrema.at(1).min, value, tolerance);
      EXPECT_NEAR(record.extrema.at(1).max, value, tolerance);
    }
  }
}

TEST(Derived, fields_that_read_neighbours_find_ghost_cells_filled) {
  std::vector<std::vector<io::Extrema>> found;
  for (const int n_ranks : {1, 3}) {
    io::MemoryFileSystem files;
    const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
      const auto simulation = testing::made(context, plane(), testing::settings());
      ASSERT_TRUE(simulation->advance_to(5));
      ASSERT_TRUE(simulation->fill_ghosts());
      const auto all = extrema(context.transport, simulation->mesh(), simulation->state(), 1,
                               {std::vector{slope}});
      ASSERT_EQ(all.size(), 2u);
      EXPECT_NEAR(all[1].min, 1.0, 1e-10);
      EXPECT_NEAR(all[1].max, 1.0, 1e-10);
      const double t = simulation->time_state().time;
      EXPECT_NEAR(all[0].min, 10.0 - 2.0 * t, 0.2);
      if (context.transport.rank() == Rank{0}) found.push_back(all);
    });
    EXPECT_TRUE(done) << done.error().message;
  }
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], found[1]);
}

TEST(Derived, fields_are_told_the_place_and_the_time) {
  for (const int n_ranks : {1, 3}) {
    io::MemoryFileSystem files;
    const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
      const auto simulation = testing::made(context, plane(), testing::settings());
      ASSERT_TRUE(simulation->advance_to(5));
      const double time = simulation->time_state().time;
      const auto all = extrema(context.transport, simulation->mesh(), simulation->state(), 1,
                               {std::vector{error}, time});
      EXPECT_NEAR(all[1].min, 0.0, 1e-12);
      EXPECT_NEAR(all[1].max, 0.0, 1e-12);
      const auto sums = totals(context.transport, simulation->mesh(), simulation->state(), 1,
                               {std::vector{error}, time + 3});
      EXPECT_NEAR(sums[1], 6.0, 1e-12);  // of the unit square
      const auto written =
          write_plot(context, simulation->mesh(), simulation->state(), simulation->time_state(),
                     {"plt", {"q", "error"}, {0}}, std::vector{error});
      ASSERT_TRUE(written) << written.error().message;
    });
    EXPECT_TRUE(done) << done.error().message;
    expect_everywhere(files, "error", 0.0, 1e-12);
  }
}

TEST(Derived, fields_that_read_neighbours_and_do_not_say_so_are_refused) {
  auto silent = slope;
  silent.reads = Reads::cell;
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(1, files, [&](const Context& context) {
    const auto simulation = testing::made(context, plane(), testing::settings());
    ASSERT_TRUE(simulation->fill_ghosts());
    const auto& mesh = simulation->mesh();
    const auto& state = simulation->state();
    EXPECT_THROW(extrema(context.transport, mesh, state, 1, {std::vector{silent}}),
                 std::out_of_range);
    EXPECT_THROW(totals(context.transport, mesh, state, 1, {std::vector{silent}}),
                 std::out_of_range);
    EXPECT_THROW((void)write_plot(context, mesh, state, simulation->time_state(),
                                  {"plt", {"q", "slope"}, {0}}, std::vector{silent}),
                 std::out_of_range);
  });
  EXPECT_TRUE(done) << done.error().message;
  EXPECT_FALSE(files.status("plt.tmp").value()) << "part of a plotfile is left";
}

TEST(Derived, fields_of_a_state_with_more_components_than_there_are_are_refused) {
  const DerivedField<2> fourth{.name = "fourth",
                               .compute = compute_cells<std::array<double, 4>, 2>(
                                   [](const auto&, const auto& here) { return here()[3]; })};
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(1, files, [&](const Context& context) {
    const auto simulation = testing::made(context, plane(), testing::settings());
    EXPECT_THROW(extrema(context.transport, simulation->mesh(), simulation->state(), 1,
                         {std::vector{fourth}}),
                 Error);
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(Derived, fields_stand_behind_the_components_in_plotfiles) {
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(2, files, [&](const Context& context) {
    const auto simulation = testing::made(context, plane(), testing::settings());
    ASSERT_TRUE(simulation->fill_ghosts());
    const auto written =
        write_plot(context, simulation->mesh(), simulation->state(), simulation->time_state(),
                   {"plt", {"q", "slope"}, {0}}, std::vector{slope});
    ASSERT_TRUE(written) << written.error().message;
  });
  EXPECT_TRUE(done) << done.error().message;

  expect_everywhere(files, "slope", 1.0, 1e-10);
}

}  // namespace
}  // namespace thalweg::app
