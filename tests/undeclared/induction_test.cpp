// SPDX-License-Identifier: MIT
// No false alarm: data at nodes and faces, through regrids, on one rank and on three, spread over
// two workers.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/application.hpp>
#include <thalweg/flow/access_checker.hpp>
#include <thalweg/induction/application.hpp>

#include "../../libs/flow/test/loopback.hpp"
#include "../support/virtual_ranks.hpp"

namespace thalweg::testing {
namespace {

const app::Application& induction() {
  static const app::Application application = induction::application();
  return application;
}

io::Deck loop(const std::vector<std::string>& overrides) {
  const io::PosixFileSystem files;
  const auto text = io::read_text(files, THALWEG_APPS "/induction/decks/loop.toml");
  EXPECT_TRUE(text) << text.error().message;
  return app::load_deck({&induction(), 1}, text.value_or(""), "loop.toml", overrides);
}

/// A small loop, so that there are few blocks; regrids make new ones before it.
void expect_nothing_found(int n_ranks, int max_level, flow::Model model) {
  const auto deck =
      loop({"mesh.max_level=" + std::to_string(max_level), "time.end=0.05",
            "output.plot_interval=0", n_ranks == 1 ? "loop.radius=0.15" : "loop.radius=0.1",
            n_ranks == 1 ? "mesh.root_blocks=[4, 2]" : "mesh.root_blocks=[3, 2]"});
  flow::AccessChecker checker;
  io::MemoryFileSystem files;
  const SimulatedRun run{.n_ranks = n_ranks, .model = model, .n_workers = 2, .checker = &checker};
  const auto done = on_virtual_ranks(run, files, [&](const app::Context& context) {
    const auto made = induction().set_up(deck)->simulation(context, nullptr, {});
    ASSERT_TRUE(made) << made.error().message;
    ASSERT_TRUE((*made)->advance_to(1'000'000));
    EXPECT_GT((*made)->regrids().n, 0);
    EXPECT_EQ(std::ssize((*made)->cost().levels), max_level + 1);
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(checker.findings(), std::vector<std::string>{});
  EXPECT_EQ(checker.n_merged(), 0u) << "of " << checker.n_checked();
}

TEST(Induction, declares_all_it_uses_on_one_rank) {
  expect_nothing_found(1, 2, flow::Model::dataflow);
}

TEST(Induction, declares_all_it_uses_on_three_ranks) {
  expect_nothing_found(3, 1, flow::Model::dataflow);
  expect_nothing_found(3, 1, flow::Model::phase);
}

/// The totals of a short run on real threads.
std::vector<double> totals_on_threads(std::uint32_t n_workers, flow::Model model) {
  const auto deck = loop({"time.max_steps=8", "regrid.interval=3"});
  flow::Loopback transport;
  const SteadyClock clock;
  io::MemoryFileSystem files;
  Logger log(nullptr, Rank{0});
  const app::Context context{
      transport, clock, files, log, {.model = model, .executor = {.n_workers = n_workers}}};
  const auto made = induction().set_up(deck)->simulation(context, nullptr, {});
  EXPECT_TRUE(made && (*made)->advance_to(8));
  return made ? (*made)->totals() : std::vector<double>{};
}

TEST(Induction, has_the_same_bits_on_two_threads) {
  const auto alone = totals_on_threads(1, flow::Model::dataflow);
  for (const auto model : {flow::Model::forkjoin, flow::Model::phase, flow::Model::dataflow})
    EXPECT_EQ(totals_on_threads(2, model), alone);
}

}  // namespace
}  // namespace thalweg::testing
