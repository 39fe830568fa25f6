// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <thalweg/io/plotfile_read.hpp>

#include "../support/campaign.hpp"
#include "../support/simulated.hpp"

namespace thalweg::testing {
namespace {

constexpr auto blast_2d = R"(
[problem]
name = "blast"
gamma = 1.6666666666666667
centre = [0.4, 0.55]
velocity = [0.7, -0.4]
pressure = 0.1
[mesh]
dim = 2
lower = [0.0, 0.0]
upper = [1.0, 1.0]
root_blocks = [2, 3]
block_cells = 8
max_level = 2
[boundary]
lower = ["periodic", "reflecting"]
upper = ["periodic", "outflow"]
[time]
end = 10.0
max_steps = 40
[regrid]
criteria = ["density", "pressure"]
interval = 4
threshold = 0.4
)";

// Another scheme, with four ghost cells.
constexpr auto corner_transport = R"(
[hydro]
scheme = "ctu"
reconstruction = "ppm_classic"
riemann = "two_shock"
)";

// Ghost cells filled in each stage, all blocks saved, and a source that acts in each stage.
constexpr auto runge_kutta = R"(
[hydro]
scheme = "rk3"
reconstruction = "ppm"
riemann = "roe"
[source]
gravity = [0.2, -0.1]
)";

// The hash of the plotfile that the whole program writes at its end.
std::uint64_t hash_after_run(const SimulatedRun& run, const std::string& more = "",
                             const std::vector<std::string>& overrides = {}) {
  io::MemoryFileSystem files;
  const auto deck = testing::deck(blast_2d + more, overrides);
  const auto last_step = deck.integer("time.max_steps");
  const auto done = on_virtual_ranks(run, files, [&](const app::Context& context) {
    const auto result = app::run(application(), deck, context, "out");
    if (!result) throw std::runtime_error(result.error().message);
  });
  EXPECT_TRUE(done) << done.error().message;
  const auto hash = io::hash_plotfile(files, fmt::format("out/plt{:05}", last_step));
  EXPECT_TRUE(hash) << hash.error().message;
  return hash.value_or(0);
}

// Each case takes a quarter of the seeds, so that they run side by side: 240 each time, in which
// all models and depths of 1 to 3 meet ten times, 1,000 with ./test --all.
class SimulatedSchedules : public ::testing::TestWithParam<int> {};

TEST_P(SimulatedSchedules, same_bits_for_every_seed) {
  const int n_seeds = few_or_many(60, 250);
  const std::vector<std::string> steps{fmt::format("time.max_steps={}", few_or_many(16, 40))};
  const std::uint64_t alone = hash_after_run({.n_ranks = 1, .model = flow::Model::bulk}, "", steps);
  const int first = GetParam() * n_seeds;

  for (int seed = first; seed < first + n_seeds; ++seed) {
    const SimulatedRun run{.n_ranks = 6,
                           .seed = static_cast<std::uint64_t>(seed),
                           .model = static_cast<flow::Model>(seed % 8 < 5 ? 3 : seed % 8 - 5),
                           .depth = 1 + static_cast<std::uint32_t>(seed) % 3};
    ASSERT_EQ(hash_after_run(run, "", steps), alone)
        << "seed " << seed << ", model " << flow::to_string(run.model);
  }
}

INSTANTIATE_TEST_SUITE_P(quarters, SimulatedSchedules, ::testing::Range(0, 4));

TEST(SimulatedRanks, same_bits_for_any_number_of_ranks_also_idle_ones) {
  const std::uint64_t alone = hash_after_run({.n_ranks = 1});

  for (const int n_ranks : {2, 3, 7, 40})  // 40: most ranks have no block of level 0
    EXPECT_EQ(hash_after_run({.n_ranks = n_ranks, .seed = 1}), alone) << n_ranks << " ranks";
}

TEST(SimulatedGrain, same_bits_with_several_blocks_a_task) {
  const std::uint64_t alone = hash_after_run({.n_ranks = 1});

  for (int seed = 0; seed < 24; ++seed) {
    const SimulatedRun run{.n_ranks = 1 + seed % 5,
                           .seed = static_cast<std::uint64_t>(seed),
                           .model = static_cast<flow::Model>(seed % 4),
                           .grain = seed % 3 == 0 ? 8u : 3u};
    ASSERT_EQ(hash_after_run(run), alone) << "seed " << seed << ", grain " << run.grain;
  }
}

void expect_same_bits_with(const std::string& more) {
  const std::uint64_t alone = hash_after_run({.n_ranks = 1}, more);
  EXPECT_NE(alone, hash_after_run({.n_ranks = 1}));  // or the deck was not heard

  for (int seed = 0; seed < 12; ++seed) {
    const SimulatedRun run{.n_ranks = 1 + seed % 5,
                           .seed = static_cast<std::uint64_t>(seed),
                           .model = static_cast<flow::Model>(seed % 4)};
    ASSERT_EQ(hash_after_run(run, more), alone) << "seed " << seed;
  }
}

TEST(SimulatedCriteria, same_bits_with_the_mesh_of_every_rule_that_reads_neighbours) {
  const std::vector<std::string> rules{
      "regrid.criteria=[\"velocity\", \"loehner\"]", "regrid.velocity=0.4", "regrid.loehner=0.85",
      "regrid.loehner_of=[\"density\", \"pressure\", \"velocity\"]"};
  const std::uint64_t alone = hash_after_run({.n_ranks = 1}, "", rules);
  EXPECT_NE(alone, hash_after_run({.n_ranks = 1}));  // or the deck was not heard

  for (int seed = 0; seed < 6; ++seed) {
    const SimulatedRun run{.n_ranks = 1 + seed % 5,
                           .seed = static_cast<std::uint64_t>(seed),
                           .model = static_cast<flow::Model>(seed % 4)};
    ASSERT_EQ(hash_after_run(run, "", rules), alone) << "seed " << seed;
  }
}

TEST(SimulatedScalars, same_bits_with_what_the_gas_carries_and_a_mesh_that_follows_it) {
  const std::vector<std::string> dyed{"hydro.scalars=2",
                                      "regrid.criteria=[\"scalars\", \"loehner\"]",
                                      "regrid.loehner_of=[\"scalars\"]", "regrid.loehner=0.8"};
  for (const std::string scheme : {"", corner_transport, "[hydro]\nscheme = \"rk3\"\n"}) {
    const std::uint64_t alone = hash_after_run({.n_ranks = 1}, scheme, dyed);
    for (int seed = 0; seed < 4; ++seed) {
      const SimulatedRun run{.n_ranks = 1 + seed % 5,
                             .seed = static_cast<std::uint64_t>(seed),
                             .model = static_cast<flow::Model>(seed % 4)};
      ASSERT_EQ(hash_after_run(run, scheme, dyed), alone) << "seed " << seed;
    }
  }
}

// A liquid-like gas; its waves are faster, so its mesh is another one.
constexpr auto stiffened = R"(
[hydro]
eos = "stiffened"
p_infinity = 2.0
)";

TEST(SimulatedEquationOfState, same_bits_with_a_stiffened_gas) {
  expect_same_bits_with(stiffened);
}

TEST(SimulatedEquationOfState, same_bits_as_an_ideal_gas_where_its_pressure_is_not_shifted) {
  for (const std::string& scheme :
       {std::string("[hydro]\n"), std::string("[hydro]\nscheme = \"rk3\"\n"),
        std::string(corner_transport)}) {
    const std::uint64_t ideal = hash_after_run({.n_ranks = 1}, scheme);
    EXPECT_EQ(hash_after_run({.n_ranks = 1}, scheme + "eos = \"stiffened\"\n"), ideal);
  }
}

TEST(SimulatedSchemes, same_bits_with_corner_transport_upwind) {
  expect_same_bits_with(corner_transport);
}

TEST(SimulatedSchemes, same_bits_with_a_ghost_fill_in_each_of_three_stages) {
  expect_same_bits_with(runge_kutta);
}

}  // namespace
}  // namespace thalweg::testing
