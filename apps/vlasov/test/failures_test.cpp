// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/vlasov/read_settings.hpp>

#include "../../../tests/support/text.hpp"
#include "../src/kernels.hpp"
#include "../src/record_step.hpp"
#include "run_deck.hpp"

namespace thalweg::vlasov {
namespace {

/// Why a run ends.
std::string failure_of(const std::vector<std::string>& overrides, const testing::Layout& layout) {
  io::MemoryFileSystem files;
  const auto done = testing::run(testing::deck(overrides), layout, files);
  return done ? "" : done.error().message;
}

using thalweg::testing::expect_parts;

TEST(VlasovFailures, refuse_a_start_that_is_not_finite) {
  for (const int n_ranks : {1, 3})
    expect_parts(failure_of({"vlasov.cells=[16, 16]", "vlasov.tile=[8, 8]",
                             "vlasov.beams=[{density=1e300, a0=1e300}]"},
                            {.n_ranks = n_ranks, .seed = 1}),
                 {"mean density of inf", "vlasov.beams"});
}

TEST(VlasovFailures, name_tile_and_step_where_f_is_no_number) {
  const auto settings =
      read_settings(testing::deck({"vlasov.cells=[16, 16]", "vlasov.tile=[8, 8]", "time.end=10"}));
  io::MemoryFileSystem files;
  for (const int n_ranks : {1, 2}) {
    const auto done = thalweg::testing::on_virtual_ranks(
        {.n_ranks = n_ranks}, files, [&](const app::Context& context) {
          State state(settings, context.transport.rank(), n_ranks);
          for (Tile& tile : state.tiles()) state.set_initial(tile);
          StepClock clock{.schedule = Schedule(settings.dt, settings.time, {}),
                          .first_step = 4,
                          .use = FieldUse::after_step};
          if (context.transport.rank() == Rank{0})
            state.tiles()[0].f(0)[3 * state.tiles()[0].stride + 5] =
                std::numeric_limits<double>::quiet_NaN();
          flow::Recorder recorder(context.transport.rank(), n_ranks);
          StepRecorder step(recorder, state, clock, portable_kernels(5), 1);
          step.record_ghosts();
          step.record_advance();
          step.record_field();
          auto graph = flow::capture(std::move(recorder), flow::Model::dataflow);
          flow::Executor executor({.scratch_bytes = sizeof(double) * state.scratch_size(),
                                   .picker = context.execution.executor.picker},
                                  context.transport, context.clock);
          if (const auto report = executor.run(graph, 3, 5); !report)
            context.transport.abort(report.error().message);
        });
    ASSERT_FALSE(done);
    expect_parts(done.error().message,
                 {"f is nan", "after step 5", "of tile (", "'advance'", "rank 0"});
  }
}

/// A deck whose field is strong in some columns of tiles only.
std::vector<std::string> strong_wave(const std::vector<std::string>& more) {
  std::vector<std::string> deck{"vlasov.cells=[64, 512]", "vlasov.tile=[8, 64]", "time.dt=0.2",
                                "time.end=1", "vlasov.modes=[{amplitude=0.5}]"};
  deck.insert(deck.end(), more.begin(), more.end());
  return deck;
}

// Whichever rank says it first: all know the bounds of the whole field.
TEST(VlasovFailures, name_a_halo_that_is_too_small_alike_on_all_ranks) {
  const auto said_by = [](const std::vector<std::string>& more, const testing::Layout& layout) {
    auto deck = strong_wave(more);
    deck.push_back("vlasov.halo=9");
    const std::string text = failure_of(deck, layout);
    return text.substr(std::min(text.size(), text.find("feet of")));
  };
  for (const std::string poisson : {"cumulative", "fft"}) {
    const std::string key = "vlasov.poisson=" + poisson;
    const std::string alone = said_by({key}, {});
    expect_parts(alone, {"feet of step 1", "the halo is 9 and 9", "vlasov.halo = "});
    for (const std::string owners : {"x", "v", "blocks", "round_robin"})
      for (const int n_ranks : {2, 3, 8})
        for (const std::uint64_t seed : {1u, 2u})
          EXPECT_EQ(
              said_by({key, "vlasov.decomposition=" + owners}, {.n_ranks = n_ranks, .seed = seed}),
              alone)
              << n_ranks << " ranks, " << owners;
  }
}

TEST(VlasovFailures, say_a_halo_that_is_large_enough_and_not_too_large) {
  const std::string text = failure_of(strong_wave({"vlasov.halo=9"}), {.n_ranks = 3, .seed = 1});
  const auto at = text.find("vlasov.halo = ") + 14;
  const int needed = std::stoi(text.substr(at));
  const auto with = [](int halo) {
    return failure_of(strong_wave({"vlasov.halo=" + std::to_string(halo)}), {.n_ranks = 3});
  };
  EXPECT_EQ(with(needed), "") << text;
  EXPECT_NE(with(needed - 1), "") << text;
  // The field is 1 at most: feet lie up to 0.2 / (12 / 512) points away along v.
  EXPECT_EQ(needed, 3 + 8) << text;
}

TEST(VlasovFailures, refuse_a_checkpoint_of_other_tiles) {
  io::MemoryFileSystem files;
  const std::vector<std::string> deck{"vlasov.cells=[16, 16]", "vlasov.tile=[8, 8]",
                                      "time.max_steps=2", "time.end=10", "checkpoint.interval=2"};
  ASSERT_TRUE(testing::run(testing::deck(deck), {}, files));
  auto other = deck;
  other.push_back("vlasov.tile=[4, 8]");
  const auto done = testing::run(testing::deck(other), {.n_ranks = 2}, files, true);
  ASSERT_FALSE(done);
  expect_parts(done.error().message, {"vlasov.tile = [4, 8]"});
}

}  // namespace
}  // namespace thalweg::vlasov
