// SPDX-License-Identifier: MIT
// Steps that are taken again: to the same bits on any ranks, model and schedule. That what failed
// leaves nothing behind, libs/step/test/backup_test.cpp has.
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/flow/model.hpp>
#include <thalweg/io/plotfile_read.hpp>

#include "../support/simulated.hpp"
#include "ruined_spot.hpp"

namespace thalweg::testing {
namespace {

// A blast whose first dt, of the gas at rest, is too long for its waves.
constexpr auto strong_blast = R"(
[problem]
name = "blast"
gamma = 1.4
centre = [0.4, 0.55]
velocity = [0.7, -0.4]
pressure = 0.1
pressure_inside = 1e4
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
[hydro]
scheme = "ctu"
reconstruction = "ppm"
[time]
end = 10.0
max_steps = 12
cfl = 0.9
[regrid]
interval = 2
threshold = 0.4
[output]
plot_interval = 3
series_interval = 1
[run]
log = "both"
)";

TEST(Retries, same_bits_on_any_ranks_model_depth_and_schedule) {
  const double dt = outcome({}, std::numeric_limits<double>::infinity(), 0).steps.back().dt;
  const RunOutcome alone = outcome({.model = flow::Model::bulk}, 0.3 * dt, 10);
  ASSERT_EQ(alone.failure, "");
  EXPECT_GE(n_retries(alone), 2);
  EXPECT_EQ(alone.steps.size(), 12u);
  for (std::size_t i = 0; i < alone.steps.size(); ++i) {
    EXPECT_EQ(alone.steps[i].step, static_cast<std::int64_t>(i + 1));
    EXPECT_FALSE(alone.steps[i].is_rejected);
  }

  for (int seed = 0; seed < 40; ++seed) {
    const SimulatedRun run{.n_ranks = std::vector{1, 2, 3, 30}[static_cast<std::size_t>(seed) % 4],
                           .seed = static_cast<std::uint64_t>(seed),
                           .model = static_cast<flow::Model>(seed / 4 % 4),
                           .depth = 1 + static_cast<std::uint32_t>(seed) % 3};
    const RunOutcome other = outcome(run, 0.3 * dt, 10);
    ASSERT_EQ(other.failure, "");
    ASSERT_EQ(other.steps, alone.steps) << "seed " << seed;
    ASSERT_TRUE(other.cells == alone.cells) << "seed " << seed;
    ASSERT_EQ(other.n_regrids, alone.n_regrids) << "seed " << seed;
  }
}

TEST(Retries, that_are_used_up_end_the_run_with_the_cell_and_what_was_tried) {
  const RunOutcome never = outcome({}, 1e-9, 0);
  EXPECT_NE(never.failure.find("lower time.cfl"), std::string::npos) << never.failure;
  const RunOutcome thrice = outcome({.n_ranks = 3}, 1e-9, 3);
  EXPECT_NE(thrice.failure.find("taken again 3 times"), std::string::npos) << thrice.failure;
  EXPECT_NE(thrice.failure.find("level"), std::string::npos) << thrice.failure;
}

/// What the whole program leaves of a deck, but its log: names of files and their bytes.
std::map<std::string, std::uint64_t> files_of(const std::vector<std::string>& overrides,
                                              const SimulatedRun& run, int* n_retries = nullptr) {
  io::MemoryFileSystem files;
  EXPECT_TRUE(files.make_directory("out"));
  const auto deck = testing::deck(strong_blast, overrides);
  const auto done = on_virtual_ranks(run, files, [&](const app::Context& context) {
    const auto result = app::run(application(), deck, context, "out");
    if (!result) throw std::runtime_error(result.error().message);
  });
  EXPECT_TRUE(done) << done.error().message;
  std::map<std::string, std::uint64_t> hashes;
  for (const std::string plot : {"plt00000", "plt00003", "plt00006", "plt00012"}) {
    const auto hash = io::hash_plotfile(files, "out/" + plot);
    EXPECT_TRUE(hash) << hash.error().message;
    hashes[plot] = hash.value_or(0);
  }
  const auto series = io::read_text(files, "out/series.csv");
  EXPECT_TRUE(series) << series.error().message;
  hashes[series.value_or("")] = 0;
  if (n_retries == nullptr) return hashes;
  const auto log = io::read_text(files, "out/log.jsonl");
  const std::string text = log.value_or("");
  const std::string key = "\"retries\":";
  *n_retries = std::stoi(text.substr(text.rfind(key) + key.size()));
  return hashes;
}

TEST(Retries, of_a_blast_leave_the_same_files_on_any_ranks_model_and_workers) {
  int n_retries = 0;
  const auto alone = files_of({}, {.n_ranks = 1, .model = flow::Model::bulk}, &n_retries);
  EXPECT_GE(n_retries, 1);
  for (int seed = 0; seed < 12; ++seed) {
    const SimulatedRun run{.n_ranks = std::vector{1, 2, 3, 20}[static_cast<std::size_t>(seed) % 4],
                           .seed = static_cast<std::uint64_t>(seed),
                           .model = static_cast<flow::Model>(seed % 4),
                           .depth = 1 + static_cast<std::uint32_t>(seed) % 3};
    ASSERT_EQ(files_of({}, run), alone) << "seed " << seed;
  }
}

}  // namespace
}  // namespace thalweg::testing
