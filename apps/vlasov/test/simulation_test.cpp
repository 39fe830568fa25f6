// SPDX-License-Identifier: MIT
#include <thalweg/vlasov/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "../../../libs/app/test/counting_transport.hpp"
#include "../../../tests/support/campaign.hpp"
#include "run_deck.hpp"

namespace thalweg::vlasov {
namespace {

using testing::Outcome;
using testing::outcome_of;

/// A wave on points that tiles do not divide, with feet some cells away.
std::vector<std::string> wave(const std::vector<std::string>& more = {}) {
  std::vector<std::string> deck{"vlasov.cells=[37, 29]",
                                "vlasov.tile=[8, 7]",
                                "time.dt=0.1",
                                "time.end=100",
                                "vlasov.modes=[{amplitude=0.4}, {m=2, amplitude=0.1}]",
                                "vlasov.beams=[{drift=0.5}]"};
  deck.insert(deck.end(), more.begin(), more.end());
  return deck;
}

/// The schemes that differ in what tasks do.
const std::vector<std::vector<std::string>> schemes{
    {},
    {"vlasov.predictor=extrapolation", "vlasov.degree=3"},
    {"vlasov.splitting=strang"},
    {"vlasov.predictor=ab2", "vlasov.poisson=fft"}};

TEST(VlasovRanks, same_bits_for_any_ranks_owners_and_models) {
  constexpr int n_steps = 5;
  for (const auto& scheme : schemes) {
    const Outcome alone = outcome_of(wave(scheme), n_steps, {});
    for (const std::string owners : {"blocks", "v", "x", "round_robin"}) {
      auto deck = wave(scheme);
      deck.push_back("vlasov.decomposition=" + owners);
      for (const int n_ranks : {2, 3, 7})
        EXPECT_EQ(
            outcome_of(
                deck, n_steps,
                {.n_ranks = n_ranks, .seed = 5, .model = static_cast<flow::Model>(n_ranks % 4)}),
            alone)
            << n_ranks << " ranks, " << owners;
    }
  }
}

TEST(VlasovRanks, same_bits_on_64_ranks_of_which_some_have_no_tile) {
  const auto deck = wave({"vlasov.decomposition=blocks", "vlasov.tile=[8, 5]"});
  const Outcome alone = outcome_of(deck, 3, {});

  EXPECT_EQ(outcome_of(deck, 3, {.n_ranks = 64, .seed = 1}), alone);
}

TEST(VlasovRanks, same_bits_with_a_message_for_each_ghost_part_and_several_tiles_a_task) {
  const Outcome alone = outcome_of(wave(), 4, {});

  EXPECT_EQ(outcome_of(wave({"exchange.max_comm_tasks=0"}), 4, {.n_ranks = 4, .seed = 2}), alone);
  EXPECT_EQ(
      outcome_of(wave({"exchange.max_comm_tasks=1"}), 4, {.n_ranks = 4, .seed = 3, .grain = 5}),
      alone);
}

/// The graph of a rank's step, as text.
std::string text_of(app::AnySimulation& made) {
  std::ostringstream text;
  made.step_graph().dump_dot(text);
  return text.str();
}

TEST(VlasovGraphs, are_the_same_without_points) {
  for (const auto& scheme : schemes) {
    io::MemoryFileSystem files;
    const auto done =
        thalweg::testing::on_virtual_ranks({.n_ranks = 3}, files, [&](const app::Context& context) {
          const auto setup = testing::applications().front().set_up(testing::deck(wave(scheme)));
          const auto run = setup->simulation(context, nullptr, {});
          const auto inspected = setup->simulation_without_cells(context, {});
          ASSERT_TRUE(run && inspected);
          EXPECT_EQ(text_of(**inspected), text_of(**run));
        });
    EXPECT_TRUE(done) << done.error().message;
  }
}

TEST(VlasovGraphs, take_no_memory_for_points) {
  io::MemoryFileSystem files;
  const auto done = thalweg::testing::on_virtual_ranks({}, files, [](const app::Context& context) {
    // 64 GiB for f, if there were memory behind it.
    const auto deck =
        testing::deck({"vlasov.cells=[65536, 65536]", "vlasov.tile=[1024, 1024]", "time.dt=1e-4"});
    const auto made =
        testing::applications().front().set_up(deck)->simulation_without_cells(context, {});
    ASSERT_TRUE(made);
    EXPECT_GT((*made)->held_bytes(), std::size_t{1} << 36);
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(VlasovGraphs, of_a_dry_run_take_no_memory_for_points_and_tell_what_a_run_would_take) {
  io::MemoryFileSystem files;
  const auto done = thalweg::testing::on_virtual_ranks({}, files, [](const app::Context& context) {
    const auto& application = testing::applications().front();
    const auto setup = application.set_up(testing::deck(wave()));
    const auto run = setup->simulation(context, nullptr, {});
    const auto inspected = setup->simulation_to_inspect(context, nullptr);
    ASSERT_TRUE(run && inspected);
    EXPECT_EQ((*inspected)->cost().field_bytes, (*run)->cost().field_bytes);
    EXPECT_NEAR((*inspected)->cost().held_bytes / (*run)->cost().held_bytes, 1, 0.1);
    ASSERT_TRUE((*run)->advance_to(3) && (*inspected)->advance_to(3));
    EXPECT_EQ((*inspected)->time_state(), (*run)->time_state());
    // 64 GiB for f, if there were memory behind it.
    std::string said;
    const auto large = testing::deck({"vlasov.cells=[65536, 65536]", "vlasov.tile=[1024, 1024]",
                                      "time.dt=1e-4", "time.max_steps=3"});
    EXPECT_TRUE(app::estimate(application, large, context, std::nullopt,
                              [&](const std::string& text) { said += text; }));
    EXPECT_NE(said.find("(cells "), std::string::npos) << said;
    EXPECT_NE(said.find("3 steps"), std::string::npos) << said;
  });
  EXPECT_TRUE(done) << done.error().message;
}

/// Call f(simulation, transport that counts) on two ranks.
void on_counting_ranks(
    const std::vector<std::string>& overrides,
    const std::function<void(app::AnySimulation&, const app::testing::CountingTransport&)>& f) {
  io::MemoryFileSystem files;
  const auto done =
      thalweg::testing::on_virtual_ranks({.n_ranks = 2}, files, [&](const app::Context& context) {
        app::testing::CountingTransport counting(context.transport);
        const auto made = testing::applications()
                              .front()
                              .set_up(testing::deck(overrides))
                              ->simulation({counting, context.clock, context.files, context.log,
                                            context.execution},
                                           nullptr, {});
        ASSERT_TRUE(made);
        f(**made, counting);
      });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(VlasovSeries, of_two_ranks_take_a_message_a_line) {
  on_counting_ranks(wave(), [](app::AnySimulation& simulation, const auto& counting) {
    ASSERT_TRUE(simulation.advance_to(1));
    const int n_before = counting.n_sent();
    simulation.series_values();
    EXPECT_EQ(counting.n_sent(), n_before + 1);
  });
}

TEST(VlasovSeries, of_split_steps_keep_the_graph_that_fills_ghosts) {
  const auto deck = wave({"vlasov.splitting=strang"});
  on_counting_ranks(deck, [](app::AnySimulation& simulation, const auto&) {
    ASSERT_TRUE(simulation.advance_to(1));
    const std::size_t without = simulation.held_bytes();
    const auto values = simulation.series_values();
    const std::size_t with = simulation.held_bytes();
    EXPECT_GT(with, without);
    EXPECT_EQ(simulation.series_values(), values);
    EXPECT_EQ(simulation.held_bytes(), with);
  });
}

TEST(VlasovSchedules, same_bits_for_every_seed_on_6_ranks) {
  const int n_seeds = thalweg::testing::few_or_many(40, 1000);
  const auto with_fourier = wave({"vlasov.poisson=fft"});
  const Outcome alone = outcome_of(wave(), 4, {});
  const Outcome alone_with_fourier = outcome_of(with_fourier, 4, {});
  for (int seed = 0; seed < n_seeds; ++seed) {
    const testing::Layout layout{.n_ranks = 6,
                                 .seed = static_cast<std::uint64_t>(seed),
                                 .model = static_cast<flow::Model>(seed % 8 < 5 ? 3 : seed % 8 - 5),
                                 .depth = 1 + static_cast<std::uint32_t>(seed) % 3};
    const bool is_fourier = seed % 4 == 3;
    auto deck = is_fourier ? with_fourier : wave();
    if (seed % 3 == 0) deck.push_back("vlasov.decomposition=round_robin");
    if (seed % 5 == 0) deck.push_back("vlasov.tile_order=border");
    if (seed % 7 == 0) deck.push_back("vlasov.priorities=none");
    ASSERT_EQ(outcome_of(deck, 4, layout), is_fourier ? alone_with_fourier : alone)
        << "seed " << seed;
  }
}

TEST(VlasovTiles, of_any_size_give_the_same_f_within_rounding) {
  const auto line_with = [](const std::string& tile) {
    return outcome_of(wave({"vlasov.tile=" + tile}), 4, {.n_ranks = 2, .seed = 1}).line;
  };
  const auto whole = line_with("[256, 256]");
  for (const std::string tile : {"[1, 1]", "[2, 3]", "[1, 29]", "[36, 28]", "[16, 8]"}) {
    const auto line = line_with(tile);
    for (std::size_t i = 0; i < whole.size(); ++i)
      EXPECT_NEAR(line[i], whole[i], 1e-13 * std::max(1.0, std::abs(whole[i])))
          << "tile " << tile << ", column " << i;
  }
}

TEST(VlasovTiles, of_few_points_need_no_more_than_there_are) {
  const std::vector<std::string> deck{"vlasov.cells=[1, 4]", "vlasov.beams=[{temperature=4}]",
                                      "vlasov.modes=[]", "time.end=100"};
  EXPECT_EQ(outcome_of(deck, 3, {.n_ranks = 3, .seed = 1}), outcome_of(deck, 3, {}));
}

TEST(VlasovHalo, leaves_no_trace_if_it_is_larger_than_needed) {
  EXPECT_EQ(outcome_of(wave({"vlasov.halo=23"}), 4, {}).line, outcome_of(wave(), 4, {}).line);
}

/// Run 9 steps at once, and 5 and then 4 on other ranks.
void expect_same_after_restart(const std::vector<std::string>& scheme) {
  const auto deck_with = [&](int n_steps, const std::string& owners) {
    auto deck = wave(scheme);
    deck.insert(deck.end(), {"time.max_steps=" + std::to_string(n_steps), "checkpoint.interval=5",
                             "output.series_interval=1", "vlasov.decomposition=" + owners});
    return testing::deck(deck);
  };
  const auto run = [](const io::Deck& deck, const testing::Layout& layout, io::FileSystem& files,
                      bool goes_on = false) {
    const auto done = testing::run(deck, layout, files, goes_on);
    ASSERT_TRUE(done) << done.error().message;
  };
  io::MemoryFileSystem whole, parts;
  run(deck_with(9, "blocks"), {}, whole);
  run(deck_with(5, "round_robin"), {.n_ranks = 3, .seed = 1}, parts);
  run(deck_with(9, "v"), {.n_ranks = 2, .seed = 2}, parts, true);
  EXPECT_EQ(testing::hash_of(parts, 9), testing::hash_of(whole, 9)) << scheme.back();
  for (const std::string file : {"out/series.csv", "out/plt00009/field.csv"})
    EXPECT_EQ(io::read_text(parts, file).value(), io::read_text(whole, file).value())
        << file << " of " << scheme.back();
}

TEST(VlasovRestart, goes_on_to_the_same_bits_on_other_ranks) {
  for (const std::string predictor : {"euler", "ab2", "leapfrog", "extrapolation"})
    expect_same_after_restart({"vlasov.predictor=" + predictor});
  expect_same_after_restart({"vlasov.splitting=strang"});
}

TEST(VlasovRestart, reads_the_largest_tiles_with_what_predictors_keep) {
  expect_same_after_restart(
      {"vlasov.cells=[70, 300]", "vlasov.tile=[64, 256]", "vlasov.predictor=extrapolation"});
}

}  // namespace
}  // namespace thalweg::vlasov
