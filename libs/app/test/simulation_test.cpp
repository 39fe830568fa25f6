// SPDX-License-Identifier: MIT
#include <thalweg/app/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/context.hpp>
#include <thalweg/app/problem.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/step/cell_functions.hpp>

#include "carried.hpp"
#include "set_clock.hpp"

namespace thalweg::app {
namespace {

using testing::Carried;

// Run a test's body on some ranks.
void on_ranks(int n_ranks, const std::function<void(const Context&)>& body) {
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(n_ranks, files, body);
  EXPECT_TRUE(done) << done.error().message;
}

TEST(Simulation, starts_with_fine_blocks_where_the_initial_data_want_them) {
  on_ranks(3, [](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());

    EXPECT_EQ(simulation->mesh().n_levels(), 3);
    EXPECT_EQ(simulation->time_state().step, 0);
    EXPECT_EQ(simulation->time_state().time, 0.0);
    EXPECT_GT(simulation->time_state().dt, 0.0);
    EXPECT_GT(simulation->mesh().forest.level(2).n_global, 0);
    EXPECT_LT(simulation->mesh().forest.level(2).n_global, 16 * 12);
  });
}

TEST(Simulation, mesh_follows_the_solution) {
  on_ranks(2, [](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
    const auto first = simulation->mesh().forest;

    ASSERT_TRUE(simulation->advance_to(30));

    EXPECT_GT(simulation->mesh().forest.revision, first.revision);
    const int moved = has_same_blocks(simulation->mesh().forest, first) ? 0 : 1;
    EXPECT_GT(flow::all_reduce(context.transport, moved, std::plus<int>{}), 0);
  });
}

TEST(Simulation, regrid_that_changes_nothing_keeps_the_graph) {
  on_ranks(2, [](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
    const auto* const graph = &simulation->step_graph();

    ASSERT_TRUE(simulation->regrid());

    EXPECT_EQ(&simulation->step_graph(), graph);
    EXPECT_EQ(simulation->regrids().n, 1);
    EXPECT_EQ(simulation->regrids().n_changes, 0);
  });
}

TEST(Simulation, counts_and_times_its_regrids) {
  SetClock clock;  // goes on where cells are tagged, and nowhere else
  auto problem = testing::carried_spot();
  problem.tag = [&, tag = step::SetTags<2>(problem.tag)](const auto& level, const auto& cells,
                                                         const auto& valid, const auto& tags) {
    clock.ns += 1'000'000;
    tag(level, cells, valid, tags);
  };
  on_ranks(1, [&](const Context& ours) {
    const Context context{ours.transport, clock, ours.files, ours.log, ours.execution};
    const auto simulation = testing::made(context, problem, testing::settings());
    const auto blocks = [&] {
      const auto& forest = simulation->mesh().forest;
      return forest.level(0).keys.size() + forest.level(1).keys.size();  // all that may be refined
    };
    double expected_s = 0;
    int n_changes = 0;
    for (int n = 0; n < 30; ++n) {
      expected_s += 1e-3 * static_cast<double>(blocks());
      const auto revision = simulation->mesh().forest.revision;
      ASSERT_TRUE(simulation->regrid());
      if (simulation->mesh().forest.revision != revision) ++n_changes;
      ASSERT_TRUE(simulation->advance_to(simulation->time_state().step + 1));
    }
    EXPECT_GT(n_changes, 2);
    EXPECT_LT(n_changes, 30);
    EXPECT_EQ(simulation->regrids().n, 30);
    EXPECT_EQ(simulation->regrids().n_changes, n_changes);
    EXPECT_NEAR(simulation->regrids().s, expected_s, 1e-9);
  });
}

TEST(Simulation, refuses_a_mesh_too_large_and_goes_on_as_if_it_had_not_been_asked) {
  on_ranks(2, [](const Context& context) {
    auto settings = testing::settings();
    settings.mesh.block_cells = 64;  // so that a slab of a pool, 2 MiB, has some 50 blocks
    settings.mesh.root_blocks = {{8, 6}};
    settings.join_blocks = false;
    const auto free = testing::made(context, testing::carried_spot(), settings);
    ASSERT_TRUE(free->advance_to(6));

    bool wants_all = false;
    auto problem = testing::carried_spot();
    problem.tag = [&wants_all, spot = step::SetTags<2>(problem.tag)](
                      const step::LevelContext<2>& level, const View<const double, 2>& cells,
                      const Box<2>& valid, const View<std::uint8_t, 2>& tags) {
      spot(level, cells, valid, tags);
      if (wants_all) for_each(valid, [&](const Index<2>& i) { tags[0, i] = 1; });
    };
    settings.memory_limit_bytes = std::size_t{6} << 20;
    const auto simulation = testing::made(context, problem, settings);
    ASSERT_TRUE(simulation->advance_to(4));
    const auto* const graph = &simulation->step_graph();
    wants_all = true;
    const auto refused = simulation->advance_to(6);

    ASSERT_FALSE(refused);
    EXPECT_TRUE(simulation->is_refused());
    EXPECT_NE(refused.error().message.find("run.memory_limit_mib"), std::string::npos);
    EXPECT_EQ(simulation->time_state().step, 4);
    EXPECT_LT(simulation->last_regrid(), 4);
    EXPECT_EQ(&simulation->step_graph(), graph);
    wants_all = false;
    ASSERT_TRUE(simulation->advance_to(6));
    EXPECT_FALSE(simulation->is_refused());
    EXPECT_EQ(simulation->time_state().dt, free->time_state().dt);
    EXPECT_EQ(simulation->totals(), free->totals());
  });
}

TEST(Simulation, does_not_begin_with_a_mesh_too_large) {
  on_ranks(3, [](const Context& context) {
    auto settings = testing::settings();
    settings.memory_limit_bytes = 1000;
    EXPECT_THROW(testing::made(context, testing::carried_spot(), settings), Error);
    auto small = context;
    small.memory_bytes = 1000;
    EXPECT_THROW(testing::made(small, testing::carried_spot(), testing::settings()), Error);
    settings.memory_limit_bytes = std::size_t{1} << 30;  // what is asked for holds
    EXPECT_NO_THROW(testing::made(small, testing::carried_spot(), settings));
  });
}

TEST(Simulation, no_interval_means_no_regrid) {
  on_ranks(2, [](const Context& context) {
    auto settings = testing::settings();
    settings.regrid_interval = 0;
    const auto simulation = testing::made(context, testing::carried_spot(), settings);
    const auto revision = simulation->mesh().forest.revision;

    ASSERT_TRUE(simulation->advance_to(20));

    EXPECT_EQ(simulation->mesh().forest.revision, revision);
  });
}

TEST(Simulation, ends_exactly_at_the_end_and_says_so) {
  on_ranks(3, [](const Context& context) {
    auto settings = testing::settings();
    settings.time.end = 0.05;
    const auto simulation = testing::made(context, testing::carried_spot(), settings);
    EXPECT_FALSE(simulation->is_over());

    ASSERT_TRUE(simulation->advance_to(std::numeric_limits<std::int64_t>::max()));

    EXPECT_TRUE(simulation->is_over());
    EXPECT_EQ(simulation->time_state().time, 0.05);
  });
}

TEST(Simulation, stops_at_the_step_asked_for_and_goes_on_from_there) {
  on_ranks(1, [](const Context& context) {
    const auto whole = testing::made(context, testing::carried_spot(), testing::settings());
    const auto pieces = testing::made(context, testing::carried_spot(), testing::settings());

    ASSERT_TRUE(whole->advance_to(9));
    for (const std::int64_t step : {1, 2, 5, 5, 9}) {
      ASSERT_TRUE(pieces->advance_to(step));
      EXPECT_EQ(pieces->time_state().step, step);
    }

    EXPECT_EQ(pieces->time_state(), whole->time_state());
  });
}

TEST(Simulation, statistics_come_once_a_step_on_rank_0) {
  on_ranks(3, [](const Context& context) {
    std::int64_t n_seen = 0;
    const auto simulation = testing::made(
        context, testing::carried_spot(), testing::settings(), [&](const StepStatistics& s) {
          EXPECT_EQ(s.time_state.step, ++n_seen);
          EXPECT_GT(s.wall_s, 0);
          EXPECT_GT(s.memory_bytes, 0u);
          // Cells of all levels, each as often as its level steps.
          std::int64_t updates = 0;
          for (std::size_t l = 0; l < s.blocks_per_level.size(); ++l)
            updates += s.blocks_per_level[l] * 64 << l;
          EXPECT_EQ(s.zone_updates, updates);
        });

    ASSERT_TRUE(simulation->advance_to(5));

    EXPECT_EQ(n_seen, context.transport.rank() == Rank{0} ? 5 : 0);
  });
}

TEST(Simulation, of_a_problem_without_tags_refines_nothing) {
  on_ranks(2, [](const Context& context) {
    auto problem = testing::carried_spot();
    problem.tag = {};
    const auto simulation = testing::made(context, problem, testing::settings());

    ASSERT_TRUE(simulation->advance_to(5));

    EXPECT_EQ(simulation->mesh().n_levels(), 1);
  });
}

TEST(Simulation, without_an_initial_state_is_refused) {
  on_ranks(1, [](const Context& context) {
    auto problem = testing::carried_spot();
    problem.initial = {};
    EXPECT_THROW(testing::made(context, problem, testing::settings()), Error);
  });
}

TEST(Simulation, initial_state_that_is_none_is_named) {
  for (const double bad :
       {-1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    io::MemoryFileSystem files;
    auto problem = testing::carried_spot();
    problem.initial = [bad](const auto& cell) {
      return Carried::State{cell.centre[0] > 0.9 && cell.centre[1] > 0.9 ? bad : 1.0};
    };

    on_ranks(3, [&](const Context& context) {
      const auto made = Simulation<Carried>::create(context, problem, testing::settings());
      ASSERT_FALSE(made);  // on all ranks alike
      for (const char* part : {"initial state", "rank 2", "level 0", "cell (29, 22)"})
        EXPECT_NE(made.error().message.find(part), std::string::npos) << made.error().message;
    });
  }
}

TEST(Simulation, axis_that_is_periodic_at_one_end_is_refused) {
  on_ranks(1, [](const Context& context) {
    auto half = testing::carried_spot();
    half.boundaries[3] = numerics::Boundary::outflow;
    try {
      const auto simulation = testing::made(context, half, testing::settings());
      FAIL() << "taken";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("boundary.upper of y"), std::string::npos)
          << error.what();
    }
  });
}

TEST(Simulation, boundaries_say_which_axes_wrap_around) {
  on_ranks(1, [](const Context& context) {
    auto open = testing::carried_spot();
    open.boundaries[2] = open.boundaries[3] = numerics::Boundary::outflow;
    const auto simulation = testing::made(context, open, testing::settings());

    EXPECT_EQ(simulation->mesh().forest.geometry.config().periodic,
              (BasicVec<bool, 2>{true, false}));
  });
}

/// A plane that the wind carries through all sides of a box: the scheme, the interpolation between
/// levels and boundaries given at the right place and time leave nothing but rounding.
TEST(Simulation, given_boundaries_are_asked_for_their_place_and_time_on_all_levels) {
  const auto plane = [](const Vec<2>& x, double t) {
    return Carried::State{10.0 + x[0] + 2.0 * x[1] - 2.0 * t};
  };
  auto problem = testing::carried_spot();
  problem.boundaries.fill(numerics::Boundary::dirichlet);
  problem.outside = [=](const auto& cell) { return plane(cell.centre, cell.time); };
  problem.initial = [=](const auto& cell) { return plane(cell.centre, 0); };
  problem.tag = [](const auto&, const auto& here) {
    return std::abs(here().q - 11.0) < 0.1;  // a band, which moves up
  };

  for (const int n_ranks : {1, 3})
    on_ranks(n_ranks, [&](const Context& context) {
      const auto simulation = testing::made(context, problem, testing::settings());
      const auto revision = simulation->mesh().forest.revision;
      ASSERT_TRUE(simulation->advance_to(30));

      EXPECT_EQ(simulation->mesh().n_levels(), 3);
      EXPECT_GT(simulation->mesh().forest.revision, revision);
      const auto& geometry = simulation->mesh().forest.geometry;
      double largest = 0;
      for (const auto& level : simulation->state().cells)
        for (std::size_t b = 0; b < level.size(); ++b)
          for_each(geometry.cells(level.keys()[b]), [&](const Index<2>& i) {
            const auto x = geometry.centre(level.keys()[b].level, i);
            const double exact = plane(x, simulation->time_state().time).q;
            largest = std::max(largest, std::abs(level.view(b)[0, i] - exact));
          });
      EXPECT_LT(largest, 1e-12);
    });
}

TEST(Simulation, given_boundaries_that_the_problem_says_nothing_of_are_refused) {
  on_ranks(1, [](const Context& context) {
    auto problem = testing::carried_spot();
    problem.boundaries[2] = problem.boundaries[3] = numerics::Boundary::dirichlet;
    EXPECT_THROW(testing::made(context, problem, testing::settings()), Error);
  });
}

TEST(Simulation, failure_names_the_step) {
  io::MemoryFileSystem files;
  auto problem = testing::carried_spot();
  int n_calls = 0;
  problem.tag = [&](const step::LevelContext<2>&, const View<const double, 2>&, const Box<2>&,
                    const View<std::uint8_t, 2>&) {
    if (++n_calls > 12)
      throw std::runtime_error("the tagger is tired");  // after the 12 root blocks
  };
  std::string message;

  const auto done = testing::on_ranks(1, files, [&](const Context& context) {
    const auto simulation = testing::made(context, problem, testing::settings());
    const auto advanced = simulation->advance_to(10);
    if (!advanced) message = advanced.error().message;
  });

  ASSERT_TRUE(done) << done.error().message;
  for (const char* part : {"regrid after step 2", "rank 0", "the tagger is tired"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Simulation, memory_of_the_fields_is_known) {
  on_ranks(1, [](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
    std::size_t n_blocks = 0;
    for (const auto& level : simulation->state().cells) n_blocks += level.size();

    EXPECT_GE(simulation->field_bytes(), n_blocks * 64 * sizeof(double));
    EXPECT_GT(simulation->executor().config().n_workers, 0u);
    EXPECT_EQ(simulation->component_names().size(), 1u);
  });
}

}  // namespace
}  // namespace thalweg::app
