// SPDX-License-Identifier: MIT
// Levels of different ratios: the same bits for any ranks, model and schedule, and after a restart
// on another layout; and what the files of such a run say of it.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/checkpoint.hpp>
#include <thalweg/io/plotfile_read.hpp>

#include "../support/simulated.hpp"

namespace thalweg::testing {
namespace {

constexpr auto sedov = R"(
[problem]
name = "sedov"
centre = [0.0, 0.0]
radius = 0.05
[mesh]
dim = 2
lower = [0.0, 0.0]
upper = [0.5, 0.75]
root_blocks = [2, 2]
block_cells = [8, 12]
max_level = 2
[boundary]
lower = ["reflecting", "reflecting"]
upper = ["outflow", "outflow"]
[time]
end = 10.0
max_steps = 10
[regrid]
interval = 2
[checkpoint]
interval = 4
)";

io::Deck deck_of(std::string_view ratio, const std::vector<std::string>& more = {}) {
  std::vector<std::string> overrides{"mesh.ratio=" + std::string(ratio)};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return deck(sedov, overrides);
}

void run_program(const io::Deck& deck, const SimulatedRun& run, io::FileSystem& files,
                 bool goes_on = false) {
  ASSERT_TRUE(files.make_directory("out"));
  const auto done = on_virtual_ranks(run, files, [&](const app::Context& context) {
    std::optional<app::Checkpoint> from;
    if (goes_on) {
      auto found = app::newest_checkpoint(context, "out");
      if (!found) throw std::runtime_error(found.error().message);
      app::check_restart(applications(), deck, *found);
      from = *std::move(found);
    }
    const auto end = app::run(application(), deck, context, "out", from);
    if (!end) throw std::runtime_error(end.error().message);
  });
  EXPECT_TRUE(done) << done.error().message;
}

std::uint64_t hash_of(const io::FileSystem& files) {
  return io::hash_plotfile(files, "out/plt00010").value_or(0);
}

std::uint64_t hash_after(std::string_view ratio, const SimulatedRun& run) {
  io::MemoryFileSystem files;
  run_program(deck_of(ratio), run, files);
  return hash_of(files);
}

class MixedRatios : public ::testing::TestWithParam<std::string_view> {};

TEST_P(MixedRatios, give_the_same_bits_for_any_ranks_models_and_grains) {
  const std::uint64_t alone = hash_after(GetParam(), {.n_ranks = 1, .model = flow::Model::bulk});
  ASSERT_NE(alone, 0u);
  int seed = 0;
  for (const int n_ranks : {1, 2, 3, 5, 17})  // 17: more than there are blocks of level 0
    for (int model = 0; model < 4; ++model, ++seed) {
      const SimulatedRun run{.n_ranks = n_ranks,
                             .seed = static_cast<std::uint64_t>(seed),
                             .model = static_cast<flow::Model>(model),
                             .grain = seed % 3 == 0 ? 4u : 1u};
      EXPECT_EQ(hash_after(GetParam(), run), alone) << "seed " << seed;
    }
}

TEST_P(MixedRatios, give_the_same_bits_after_a_restart_on_another_layout) {
  const std::uint64_t straight = hash_after(GetParam(), {.n_ranks = 2});
  for (int n = 0; n < 4; ++n) {
    io::MemoryFileSystem files;
    run_program(deck_of(GetParam(), {"time.max_steps=5"}),
                {.n_ranks = 1 + n, .model = static_cast<flow::Model>(n)}, files);
    run_program(deck_of(GetParam()),
                {.n_ranks = 5 - n, .seed = 9, .model = static_cast<flow::Model>(3 - n)}, files,
                true);
    EXPECT_EQ(hash_of(files), straight) << 1 + n << " ranks, then " << 5 - n;
  }
}

TEST_P(MixedRatios, stand_in_the_files_of_a_run) {
  io::MemoryFileSystem files;
  run_program(deck_of(GetParam()), {.n_ranks = 2}, files);
  const bool is_2_4 = GetParam() == "[2,4]";

  const auto plot = io::read_plotfile(files, "out/plt00010");
  ASSERT_TRUE(plot) << plot.error().message;
  EXPECT_EQ(plot->ratios, is_2_4 ? (std::vector<int>{2, 4}) : (std::vector<int>{4, 2}));
  ASSERT_EQ(plot->levels.size(), 3u);
  EXPECT_EQ(plot->levels[1].domain.hi[0], is_2_4 ? 32 : 64);
  EXPECT_EQ(plot->levels[2].domain.hi[0], 128);
  const auto manifest = io::read_manifest(files, "out/chk00010");
  ASSERT_TRUE(manifest) << manifest.error().message;
  EXPECT_EQ(manifest->ratio,
            is_2_4 ? (std::vector<std::int64_t>{2, 4}) : (std::vector<std::int64_t>{4, 2}));
}

INSTANTIATE_TEST_SUITE_P(both_ways, MixedRatios, ::testing::Values("[2,4]", "[4,2]"));

TEST(Ratios, level_by_level_are_as_one_number_where_they_are_equal) {
  const std::uint64_t one = hash_after("2", {.n_ranks = 1});
  EXPECT_EQ(hash_after("[2,2]", {.n_ranks = 3}), one);
  EXPECT_NE(hash_after("[2,4]", {.n_ranks = 1}), one);
}

TEST(Ratios, of_a_checkpoint_cannot_be_changed_but_may_be_written_otherwise) {
  io::MemoryFileSystem files;
  run_program(deck_of("2"), {.n_ranks = 1}, files);
  const app::Checkpoint from{"out/chk00010", io::read_manifest(files, "out/chk00010").value()};

  EXPECT_NO_THROW(app::check_restart(applications(), deck_of("2"), from));
  EXPECT_THROW(app::check_restart(applications(), deck_of("[2,4]"), from), Error);
}

std::string complaint(const std::vector<std::string>& overrides) {
  try {
    app::check(application(), deck_of("2", overrides));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Ratios, that_do_not_fit_the_mesh_are_refused_by_name) {
  EXPECT_NE(complaint({"mesh.ratio=[2,4,2]"}).find("mesh.ratio = 2 4 2 with mesh.max_level = 2"),
            std::string::npos);
  EXPECT_NE(complaint({"mesh.ratio=[2,3]"}).find("ratio = 3 (the refinement ratio is 2 or 4)"),
            std::string::npos);
  EXPECT_NE(complaint({"mesh.ratio=[2,4]", "mesh.block_cells=10"}).find("block_cells = 10"),
            std::string::npos);
}

}  // namespace
}  // namespace thalweg::testing
