// SPDX-License-Identifier: MIT
#include <thalweg/step/backup.hpp>

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/numerics/reconstruction.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/runge_kutta.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>

#include "stream.hpp"

namespace thalweg::step {
namespace {

using exchange::testing::on_virtual_ranks;
using exchange::testing::VirtualRank;
using testing::periodic_box;
using testing::Stream;

using InStages = numerics::RungeKutta<exchange::testing::Tracers<2>, numerics::PlmVanLeer,
                                      numerics::RiemannHlle>;

// 1, 2 and 3 ranks, and so many that some have no block.
constexpr int all_ranks[] = {1, 2, 3, 20};

TEST(StepBackup, takes_the_memory_that_it_says) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    const TimeSettings time{.subcycle = false};
    const Stream<2> stream(self, periodic_box<2>(2), time);
    StepBackup<2> backup(stream.mesh.forest.geometry.block_cells(), 2);
    const auto bytes_with = [&] {
      return backup.size_bytes_with(stream.mesh.forest, Saved::none, time);
    };
    EXPECT_EQ(backup.size_bytes(), 0u);
    const std::size_t expected = bytes_with();
    backup.set_mesh(stream.mesh, stream.state, Saved::none, time);
    EXPECT_EQ(backup.size_bytes(), expected);
    backup.set_mesh(stream.mesh, stream.state, Saved::none, time);  // in the same memory
    EXPECT_EQ(backup.size_bytes(), expected);
    EXPECT_EQ(bytes_with(), expected);
    EXPECT_GT(backup.list_bytes(), 0u);
  });
}

TEST(StepBackup, takes_no_memory_for_what_stages_save_at_the_start_of_the_step) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    for (const bool subcycle : {true, false}) {
      const TimeSettings time{.subcycle = subcycle};
      const Stream<2, InStages> stream(self, periodic_box<2>(2), time);
      StepBackup<2> backup(stream.mesh.forest.geometry.block_cells(), 2);
      backup.set_mesh(stream.mesh, stream.state, Saved::all, time);
      EXPECT_EQ(backup.cells(0, 0).data(), stream.state.saved[0].view(0).data());
      EXPECT_EQ(backup.size_bytes_with(stream.mesh.forest, Saved::all, time), backup.size_bytes());
      EXPECT_EQ(backup.size_bytes() == 0, !subcycle);  // finer levels save in each of their steps
    }
  });
}

TEST(StepRecorder, that_keeps_states_makes_the_same_steps) {
  on_virtual_ranks(3, [](VirtualRank& self) {
    Stream<2> plain(self, periodic_box<2>(2), {.max_steps = 5});
    Stream<2> keeping(self, periodic_box<2>(2), {.max_steps = 5});
    keeping.keep();
    for (auto* stream : {&plain, &keeping}) {
      stream->prepare();
      EXPECT_EQ(stream->step(100), 5u);
    }
    EXPECT_EQ(keeping.time_state, plain.time_state);
    EXPECT_EQ(keeping.values(), plain.values());
  });
}

// Steps of which the third is too long by its Courant number, or ruins a state as well.
template <class Scheme>
void expect_rejected(double factor, bool ruins) {
  for (const bool subcycle : {true, false})
    for (const int n_ranks : all_ranks)
      on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
        Stream<2, Scheme> stream(self, periodic_box<2>(2),
                                 {.max_steps = 6, .cfl = 0.3, .subcycle = subcycle});
        Stream<2, Scheme> other(self, periodic_box<2>(2),
                                {.max_steps = 6, .cfl = 0.3, .subcycle = subcycle});
        stream.keep();
        for (auto* both : {&stream, &other}) {
          both->prepare();
          EXPECT_EQ(both->step(2), 2u);
        }
        const auto values = stream.values();
        const TimeState before = stream.time_state;

        stream.time_state.dt *= factor;
        // One replay may follow, and does nothing.
        EXPECT_LE(stream.step(3), 2u);
        EXPECT_TRUE(stream.time_state.is_rejected);
        EXPECT_GE(stream.time_state.dt, 0.5 * factor * before.dt);
        EXPECT_LT(stream.time_state.dt, factor * before.dt);
        if (ruins && !subcycle) {
          EXPECT_EQ(stream.values(), values) << "ruined blocks have their kept states at once";
        }
        stream.put_back();

        EXPECT_EQ(stream.values(), values);
        EXPECT_EQ(stream.time_state.step, 2);
        EXPECT_EQ(stream.time_state.time, before.time);
        EXPECT_EQ(stream.time_state.dt_before, before.dt_before);
        EXPECT_FALSE(stream.time_state.is_rejected);
        stream.time_state.dt = before.dt;
        EXPECT_EQ(stream.step(100), 4u);
        EXPECT_EQ(other.step(100), 4u);
        EXPECT_EQ(stream.time_state, other.time_state);
        EXPECT_EQ(stream.values(), other.values());
        // What was rejected is not reported.
        EXPECT_EQ(stream.observer.time_states, other.observer.time_states);
      });
}

TEST(StepRecorder, rejects_a_step_that_is_too_long_for_its_signals) {
  expect_rejected<exchange::testing::TracerScheme<2>>(4.0, false);
  expect_rejected<InStages>(4.0, false);
}

TEST(StepRecorder, rejects_a_step_that_ruins_states) {
  expect_rejected<exchange::testing::TracerScheme<2>>(100.0, true);
  expect_rejected<InStages>(100.0, true);
}

TEST(StepRecorder, counts_retries_from_none_after_a_step_that_stands) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    Stream<1> stream(self, periodic_box<1>(0), {.max_steps = 1, .cfl = 0.3});
    stream.keep();
    stream.prepare();
    stream.time_state.n_retries = 3;
    EXPECT_EQ(stream.step(1), 1u);
    EXPECT_EQ(stream.time_state.n_retries, 0);
  });
}

/// Ruin a cell in the second half of a split source, which has the valid cells alone.
void ruin_by_the_end(const View<double, 1>& cells, const Box<1>& region, const SourceStep&) {
  if (region != cells.box() && region.extent(0) == 8 && region.contains(Index<1>{{11}}))
    cells[0, Index<1>{{11}}] = std::numeric_limits<double>::quiet_NaN();
}

TEST(StepRecorder, rejects_what_is_ruined_by_the_end_of_the_step_on_all_ranks) {
  for (const int n_ranks : all_ranks)
    on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
      Stream<1> stream(self, periodic_box<1>(0), {.cfl = 0.4});
      stream.keep();
      stream.prepare();
      stream.settings.source = ruin_by_the_end;
      const double dt = stream.time_state.dt;
      stream.step(5);
      EXPECT_TRUE(stream.time_state.is_rejected);
      EXPECT_EQ(stream.time_state.dt, 0.5 * dt);
      EXPECT_TRUE(stream.observer.time_states.empty());
    });
}

TEST(StepRecorder, names_the_cell_that_the_last_retry_ruins) {
  for (const bool by_the_end : {false, true})
    on_virtual_ranks(1, [&](VirtualRank& self) {
      Stream<1> stream(self, periodic_box<1>(0), {.cfl = 0.4, .retries = 2});
      stream.keep();
      stream.prepare();
      if (by_the_end)
        stream.settings.source = ruin_by_the_end;
      else
        stream.time_state.dt = 10.0;
      stream.time_state.n_retries = 2;
      try {
        stream.step(1);
        FAIL();
      } catch (const std::runtime_error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find(by_the_end ? "cell (11)" : "after dt = 10"), std::string::npos) << text;
        EXPECT_NE(text.find("taken again 2 times"), std::string::npos) << text;
      }
    });
}

}  // namespace
}  // namespace thalweg::step
