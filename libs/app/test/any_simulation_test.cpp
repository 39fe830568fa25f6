// SPDX-License-Identifier: MIT
#include <thalweg/app/any_simulation.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "carried.hpp"
#include "stream.hpp"

namespace thalweg::app {
namespace {

// Without a driver: whoever has a list of applications need not know their equations.
TEST(AnySimulation, of_a_deck_is_advanced_and_looked_at) {
  io::MemoryFileSystem files;
  const auto setup = testing::applications()[0].set_up(testing::spot_deck());
  EXPECT_EQ(setup->derived_names(), std::vector<std::string>{"square"});
  EXPECT_EQ(setup->derived_groups(), std::vector<std::string>{""});
  const auto done = testing::on_ranks(3, files, [&](const Context& context) {
    const auto made = setup->simulation(context, nullptr, {});
    ASSERT_TRUE(made) << made.error().message;
    AnySimulation& simulation = **made;
    const auto before = simulation.totals();

    ASSERT_TRUE(simulation.advance_to(4));

    EXPECT_EQ(simulation.time_state().step, 4);
    EXPECT_FALSE(simulation.is_over());
    EXPECT_EQ(simulation.component_names(), std::vector<std::string>{"q"});
    EXPECT_EQ(simulation.plot_variables({.path = "", .derived = {"square"}}),
              (std::vector<std::string>{"q", "square"}));
    EXPECT_EQ(simulation.plot_variables({.path = "", .fields = std::vector<std::string>{}}),
              std::vector<std::string>{});
    EXPECT_NEAR(simulation.totals().at(0), before.at(0), 1e-13 * before.at(0));
    const auto values = simulation.series_values();
    const auto columns = simulation.series_columns();
    ASSERT_EQ(values.size(), columns.size());
    EXPECT_EQ(values[0], simulation.time_state().time);
    EXPECT_EQ(values[2], simulation.totals()[0]);
    const auto domain = simulation.local_blocks();
    double volume = 1;
    for (std::size_t a = 0; a < domain.lower.size(); ++a)
      volume *= domain.upper[a] - domain.lower[a];
    EXPECT_EQ(simulation.largest_totals(), std::vector{volume * values[4]});  // its maximum
    const auto cost = simulation.cost();
    ASSERT_EQ(cost.levels.size(), 3u);
    EXPECT_EQ(cost.levels[0].n_blocks, 12);
    EXPECT_EQ(cost.levels[0].n_cells, 12 * 64);
    EXPECT_EQ(cost.levels[1].updates, 2.0 * static_cast<double>(cost.levels[1].n_cells));
    EXPECT_GE(cost.held_bytes, cost.field_bytes);
  });
  EXPECT_TRUE(done) << done.error().message;
}

// The other ranks wait for it, so whoever catches it ends them.
TEST(AnySimulation, where_a_derived_field_throws_it_is_an_error_of_that_rank) {
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(2, files, [&](const Context& context) {
    auto problem = testing::carried_spot();
    problem.derived = {
        {.name = "fails",
         .integral_unit = "mass",
         .compute = compute_cells<testing::Carried::State, 2>([&](const auto&, const auto& here) {
           if (context.transport.rank() == Rank{1}) throw std::runtime_error("no such root");
           return here().q;
         })}};
    const auto simulation = testing::made(context, problem, testing::settings());
    if (context.transport.rank() == Rank{1})
      EXPECT_THROW(simulation->totals(), RankError);
    else
      simulation->totals();
  });
  ASSERT_FALSE(done);  // rank 0 has waited for what did not come
}

TEST(AnySimulation, has_the_total_of_a_field_whose_extrema_are_not_in_the_series) {
  auto problem = testing::carried_spot();
  problem.derived = {{.name = "twice",
                      .is_in_series = false,
                      .integral_unit = "mass",
                      .compute = compute_cells<testing::Carried::State, 2>(
                          [](const auto&, const auto& here) { return 2.0 * here().q; })}};
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(2, files, [&](const Context& context) {
    const auto simulation = testing::made(context, problem, testing::settings());
    const auto columns = simulation->series_columns();
    const auto values = simulation->series_values();
    ASSERT_EQ(columns.size(), 6u);  // time, dt, three of the component, one of the field
    EXPECT_EQ(columns[5].name, "twice total");
    ASSERT_EQ(values.size(), 6u);
    EXPECT_EQ(values[5], 2.0 * values[2]);
    EXPECT_EQ(simulation->total_names(), (std::vector<std::string>{"q", "twice"}));
    EXPECT_EQ(simulation->totals(), (std::vector{values[2], values[5]}));
    const auto largest = simulation->largest_totals();
    ASSERT_EQ(largest.size(), 2u);
    EXPECT_EQ(largest[1], 2.0 * largest[0]);
  });
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace
}  // namespace thalweg::app
