// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <thalweg/app/checkpoint.hpp>
#include <thalweg/core/random.hpp>
#include <thalweg/io/testing/simulated_disk.hpp>

#include "../support/campaign.hpp"
#include "../support/simulated.hpp"

namespace thalweg::testing {
namespace {

using io::testing::PowerLoss;
using io::testing::SimulatedDisk;

using Simulation = app::Simulation<hydro::GasScheme<1>>;

/// A small shock tube.
auto tube() {
  return hydro::set_up<1>(
      deck("", {"problem.name=sod", "mesh.dim=1", "mesh.lower=[-0.5]", "mesh.upper=[0.5]",
                "mesh.root_blocks=[2]", "time.end=10", "mesh.block_cells=8", "mesh.max_level=1",
                "boundary.lower=['outflow']", "boundary.upper=['outflow']"}));
}

/// Four checkpoints of the tube by three ranks, of which the newest is kept; the disk's journal of
/// that, in which each is announced when it has been written.
SimulatedDisk written_disk() {
  const auto setup = tube();
  SimulatedDisk disk;
  const auto done = on_virtual_ranks({.n_ranks = 3}, disk, [&](const app::Context& context) {
    const bool is_first = context.transport.rank() == Rank{0};
    if (is_first && !(disk.make_directory("out") && disk.sync(".")))
      throw std::runtime_error("no folder");
    flow::barrier(context.transport);
    const auto simulation = made(context, setup.problem, setup.settings);
    for (int step = 1; step <= 4; ++step) {
      if (!simulation->advance_to(step)) throw std::runtime_error("no step");
      const auto written =
          app::write_checkpoint(context, simulation->mesh(), simulation->state(),
                                simulation->time_state(), simulation->last_regrid(),
                                {.folder = "out",
                                 .keep = 1,
                                 .scheme = "gas",
                                 .components = simulation->component_names(),
                                 .totals_at_start = {1, 2, 3},
                                 .deck = "d\n"});
      if (!written) throw std::runtime_error(written.error().message);
      if (is_first) disk.announce(std::to_string(written->manifest.sequence));
    }
  });
  EXPECT_TRUE(done) << done.error().message;
  return disk;
}

/// The sequence of the newest checkpoint, 0 if there is none. Throws where one that has a manifest
/// is not whole.
std::uint64_t newest_whole(SimulatedDisk& disk) {
  const auto found = io::find_checkpoints(disk, "out");
  if (!found) return 0;  // the folder itself had not been synced
  std::uint64_t newest = 0;
  for (const auto& [path, manifest] : *found) {
    if (!disk.status(path + "/manifest").value()) continue;
    if (!manifest) throw std::runtime_error(manifest.error().message);
    const auto sum = io::check_blocks(disk, path, *manifest, 0, manifest->n_blocks());
    if (!sum) throw std::runtime_error(sum.error().message);
    if (*sum != manifest->index_crc) throw std::runtime_error("the index is damaged");
    newest = std::max(newest, manifest->sequence);
  }
  return newest;
}

/// Where the tube stands after step 6; from the newest checkpoint on the disk, if there is one.
step::TimeState sixth_step(SimulatedDisk& disk, bool from_checkpoint) {
  const auto setup = tube();
  step::TimeState time_state;
  const auto done = on_virtual_ranks({.n_ranks = 2}, disk, [&](const app::Context& context) {
    std::unique_ptr<Simulation> simulation;
    if (from_checkpoint) {
      const auto found = app::newest_checkpoint(context, "out");
      if (!found) throw std::runtime_error(found.error().message);
      simulation = made(context, setup.problem, setup.settings, *found);
    } else {
      simulation = made(context, setup.problem, setup.settings);
    }
    if (!simulation->advance_to(6)) throw std::runtime_error("no step");
    if (context.transport.rank() == Rank{0}) time_state = simulation->time_state();
  });
  EXPECT_TRUE(done) << done.error().message;
  return time_state;
}

class PowerLossImages : public ::testing::TestWithParam<int> {};

// A quarter of the images each, so that they run side by side.
TEST_P(PowerLossImages, newest_announced_checkpoint_is_there_and_all_are_whole) {
  const auto n_images = few_or_many<std::int64_t>(25'000, 250'000);
  const std::int64_t n_between = n_images / 25;  // images from one that is gone on from to the next
  const SimulatedDisk disk = written_disk();
  const auto n_points = static_cast<std::int64_t>(disk.journal().size());
  const std::int64_t per_point = n_images / n_points + 1;
  SplitMix64 random(static_cast<std::uint64_t>(GetParam()));
  PowerLoss loss(disk.journal());
  std::int64_t n_newer = 0, n_done = 0, n_gone_on = 0;
  SimulatedDisk empty;
  const step::TimeState straight = sixth_step(empty, false);
  while (loss.next()) {
    const std::uint64_t announced = loss.announced().empty() ? 0 : std::stoull(loss.announced());
    for (std::int64_t n = 0; n < per_point; ++n, ++n_done) {
      SimulatedDisk after(loss.image(random));
      const std::uint64_t found = newest_whole(after);
      ASSERT_GE(found, announced) << "image " << n_done;
      if (found > announced) ++n_newer;
      if (n_done % 1000 != 0 || found == 0) continue;
      if (n_done % n_between == 0) {  // dt follows from all cells
        const step::TimeState time_state = sixth_step(after, true);
        EXPECT_EQ(time_state.step, 6);
        EXPECT_EQ(time_state.time, straight.time);
        EXPECT_EQ(time_state.dt, straight.dt);
        ++n_gone_on;
      }
      // A run that goes on from here leaves a checkpoint that counts.
      const auto next = io::begin_checkpoint(after, "out", 99);
      ASSERT_TRUE(next) << next.error().message;
      EXPECT_GT(next->sequence, found);
      EXPECT_EQ(newest_whole(after), found);
    }
  }
  EXPECT_GE(n_done, n_images);
  EXPECT_GT(n_newer, 0);  // not announced yet, but on the disk by chance
  EXPECT_GT(n_gone_on, 10);
  std::printf("%lld images at %lld points\n", static_cast<long long>(n_done),
              static_cast<long long>(n_points));
}

INSTANTIATE_TEST_SUITE_P(quarters, PowerLossImages, ::testing::Range(0, 4));

}  // namespace
}  // namespace thalweg::testing
