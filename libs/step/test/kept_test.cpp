// SPDX-License-Identifier: MIT
#include <thalweg/step/kept.hpp>

#include <cstddef>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "stream.hpp"

namespace thalweg::step {
namespace {

using exchange::testing::on_virtual_ranks;
using exchange::testing::VirtualRank;
using testing::periodic_box;
using testing::Stream;

// 1, 2 and 3 ranks, and so many that some have no block.
constexpr int all_ranks[] = {1, 2, 3, 20};

TEST(Kept, takes_the_memory_that_it_says) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    const Stream<2> stream(self, periodic_box<2>(2), {});
    Kept<2> kept(stream.mesh.forest.geometry.block_cells(), 2);
    EXPECT_EQ(kept.size_bytes(), 0u);
    const std::size_t expected = kept.size_bytes_with(stream.mesh.forest);
    kept.set_mesh(stream.mesh);
    EXPECT_EQ(kept.size_bytes(), expected);
    kept.set_mesh(stream.mesh);  // in the same memory
    EXPECT_EQ(kept.size_bytes(), expected);
    EXPECT_EQ(kept.size_bytes_with(stream.mesh.forest), expected);
    EXPECT_GT(kept.n_bytes(), 0u);
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
void expect_rejected(double factor) {
  for (const bool subcycle : {true, false})
    for (const int n_ranks : all_ranks)
      on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
        Stream<2> stream(self, periodic_box<2>(2),
                         {.max_steps = 6, .cfl = 0.3, .subcycle = subcycle});
        Stream<2> other(self, periodic_box<2>(2),
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
        EXPECT_EQ(stream.observer.moments, other.observer.moments);
      });
}

TEST(StepRecorder, rejects_a_step_that_is_too_long_for_its_signals) {
  expect_rejected(4.0);
}

TEST(StepRecorder, rejects_a_step_that_ruins_states) {
  expect_rejected(100.0);
}

TEST(StepRecorder, rejects_what_is_ruined_by_the_end_of_the_step_on_all_ranks) {
  for (const int n_ranks : all_ranks)
    on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
      Stream<1> stream(self, periodic_box<1>(0), {.cfl = 0.4});
      stream.keep();
      stream.prepare();
      // The first half of the source has all cells with ghosts, the second the valid ones alone.
      stream.settings.source = [](const View<double, 1>& cells, const Box<1>& region,
                                  const SourceStep&) {
        if (region != cells.box() && region.contains(Index<1>{{11}}))
          cells[0, Index<1>{{11}}] = std::numeric_limits<double>::quiet_NaN();
      };
      const double dt = stream.time_state.dt;
      stream.step(5);
      EXPECT_TRUE(stream.time_state.is_rejected);
      EXPECT_EQ(stream.time_state.dt, 0.5 * dt);
      EXPECT_TRUE(stream.observer.moments.empty());
    });
}

}  // namespace
}  // namespace thalweg::step
