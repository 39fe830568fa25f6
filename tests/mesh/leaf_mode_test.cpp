// SPDX-License-Identifier: MIT
// Simulations of leaves: the same bits in all layouts and after a restart, whole families that are
// balanced, nothing lost, and each rank its share of the leaves.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/checkpoint.hpp>
#include <thalweg/app/simulation.hpp>
#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/picker.hpp>
#include <thalweg/io/plotfile_read.hpp>
#include <thalweg/mesh/leaf_nested.hpp>
#include <thalweg/mesh/offsets.hpp>

#include "../../libs/app/test/carried.hpp"
#include "../support/leaves.hpp"

namespace thalweg::app {
namespace {

using testing::Carried;
using Keys = std::map<mesh::Key<2>, Rank>;

Settings<2> leaf_settings(const Partitioning& partition = {}) {
  auto settings = testing::settings();
  settings.mode = MeshMode::leaf;
  settings.time.subcycle = false;
  settings.partition = partition;
  return settings;
}

/// How a simulation is run.
struct Layout {
  int n_ranks = 1;
  flow::Model model = flow::Model::dataflow;
  std::uint32_t n_workers = 1;
  Partitioning partition{};
};

void on_ranks(const Layout& layout, io::FileSystem& files,
              const std::function<void(const Context&)>& body) {
  comm::SimNetwork network({.n_ranks = layout.n_ranks, .seed = 7});
  const auto done = network.run([&](flow::Transport& transport) {
    flow::UniformPicker picker(transport.rank()());
    Logger log(nullptr, transport.rank());
    body({transport,
          network.clock(),
          files,
          log,
          {.model = layout.model, .executor = {.n_workers = layout.n_workers, .picker = &picker}}});
  });
  EXPECT_TRUE(done) << done.error().message;
}

/// All blocks and who owns them. Collective.
Keys all_blocks(const Simulation<Carried>& simulation) {
  std::vector<mesh::OwnedKey<2>> mine;
  const auto& forest = simulation.mesh().forest;
  for (const auto& level : forest.levels)
    for (const auto& key : level.keys) mine.push_back({key, forest.rank});
  Keys all;
  for (const auto& block :
       flow::all_gather_v(simulation.context().transport, std::span<const mesh::OwnedKey<2>>(mine))
           .values)
    EXPECT_TRUE(all.emplace(block.key, block.owner).second) << "two ranks own a block";
  return all;
}

/// Check that families are whole, that leaves which touch differ by one level at most, and that
/// ranks have equal shares of the leaves. Returns how many ranks have none.
int expect_balanced(const Simulation<Carried>& simulation) {
  const auto& geometry = simulation.mesh().forest.geometry;
  const Keys blocks = all_blocks(simulation);
  std::vector<int> n_leaves(static_cast<std::size_t>(simulation.context().transport.n_ranks()));
  for (const auto& [key, owner] : blocks) {
    int n_children = 0;
    if (key.level < geometry.max_level())
      for (const auto& child : mesh::children(key, geometry.ratio(key.level)))
        n_children += blocks.contains(child) ? 1 : 0;
    EXPECT_TRUE(n_children == 0 || n_children == 4) << n_children;
    if (n_children > 0) continue;
    ++n_leaves[owner()];
    for (int o = 0; o < mesh::n_offsets<2>; ++o) {  // a leaf's neighbours or their parents exist
      const auto near = geometry.neighbour(key, mesh::offset_at<2>(o));
      if (!near || key.level == 0) continue;
      EXPECT_TRUE(blocks.contains(*near) || blocks.contains(geometry.parent(*near)));
    }
  }
  const auto [least, most] = std::ranges::minmax(n_leaves);
  EXPECT_LE(most - least, 1);
  return static_cast<int>(std::ranges::count(n_leaves, 0));
}

/// The bits of all leaf cells after 40 steps with regrids between.
std::uint64_t run(const Layout& layout) {
  io::MemoryFileSystem files;
  std::uint64_t bits = 0;
  on_ranks(layout, files, [&](const Context& context) {
    const auto simulation =
        testing::made(context, testing::carried_spot(), leaf_settings(layout.partition));
    const auto before = simulation->mesh().forest.revision;
    const auto advanced = simulation->advance_to(40);
    ASSERT_TRUE(advanced) << advanced.error().message;
    EXPECT_GT(simulation->mesh().forest.revision, before) << "the case is too easy";
    EXPECT_EQ(simulation->mesh().n_levels(), 3);
    const auto sum = thalweg::testing::checksum(*simulation);
    if (context.transport.rank() == Rank{0}) bits = sum;
  });
  return bits;
}

TEST(LeafMode, gives_the_same_bits_on_any_ranks_workers_models_and_partitioners) {
  const std::uint64_t alone = run({});
  using mesh::Partitioner;
  int n = 0;
  for (const auto partitioner :
       {Partitioner::morton, Partitioner::hilbert, Partitioner::round_robin, Partitioner::knapsack})
    for (const int n_ranks : {1, 2, 3, 40})
      for (const std::uint32_t n_workers : {1u, 2u}) {
        const auto model = static_cast<flow::Model>(n++ % 4);
        if (model == flow::Model::bulk && n_workers > 1) continue;
        if (n_ranks == 40 && n % 2 == 0) continue;
        EXPECT_EQ(run({n_ranks, model, n_workers, {.partitioner = partitioner}}), alone)
            << n_ranks << " ranks, " << n_workers << " workers, " << flow::to_string(model)
            << ", partitioner " << static_cast<int>(partitioner);
      }
  for (int model = 0; model < 4; ++model)
    EXPECT_EQ(run({3, static_cast<flow::Model>(model)}), alone) << "model " << model;
}

TEST(LeafMode, gives_the_same_bits_however_leaves_weigh_and_owners_are_found) {
  const std::uint64_t alone = run({});
  for (const int n_ranks : {3, 40}) {
    EXPECT_EQ(run({.n_ranks = n_ranks, .partition = {.cost = Cost::measured}}), alone);
    EXPECT_EQ(run({.n_ranks = n_ranks, .partition = {.threshold = {1.5}}}), alone);
    EXPECT_EQ(run({.n_ranks = n_ranks, .partition = {.directory = mesh::Directory::routed}}),
              alone);
    EXPECT_EQ(run({.n_ranks = n_ranks,
                   .partition = {.cost = Cost::measured, .directory = mesh::Directory::routed}}),
              alone);
    EXPECT_EQ(run({.n_ranks = n_ranks,
                   .partition = {.cost = Cost::measured,
                                 .partitioner = mesh::Partitioner::hilbert,
                                 .threshold = {1.2}}}),
              alone);
  }
}

TEST(LeafMode, has_whole_balanced_families_in_equal_shares_after_each_regrid) {
  int n_idle = 0;
  for (const int n_ranks : {1, 3, 40, 200}) {  // 200: more than there are leaves
    io::MemoryFileSystem files;
    on_ranks({.n_ranks = n_ranks}, files, [&](const Context& context) {
      const auto simulation = testing::made(context, testing::carried_spot(), leaf_settings());
      for (int step = 0; step <= 6; step += 2) {
        ASSERT_TRUE(simulation->advance_to(step));
        const int n = expect_balanced(*simulation);
        if (context.transport.rank() == Rank{0}) n_idle += n;
      }
    });
  }
  EXPECT_GT(n_idle, 0) << "no rank was without a block";
}

TEST(LeafMode, conserves_to_rounding_and_counts_updates_of_leaves_alone) {
  io::MemoryFileSystem files;
  on_ranks({.n_ranks = 2}, files, [&](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), leaf_settings());
    const double before = simulation->totals()[0];
    ASSERT_TRUE(simulation->advance_to(20));
    EXPECT_NEAR(simulation->totals()[0], before, 1e-13 * before);

    std::int64_t n_leaves = 0;
    for (const auto& [key, owner] : all_blocks(*simulation))
      n_leaves += owner == context.transport.rank() && mesh::is_leaf(simulation->mesh().forest, key)
                      ? 1
                      : 0;
    n_leaves = flow::all_reduce(context.transport, n_leaves, std::plus<>());
    std::int64_t n_counted = 0;
    double updates = 0;
    for (const auto& level : simulation->cost().levels) {
      n_counted += level.n_blocks;
      updates += level.updates;
    }
    EXPECT_EQ(n_counted, n_leaves);
    EXPECT_EQ(updates, static_cast<double>(64 * n_leaves));
  });
}

TEST(LeafMode, goes_on_from_a_checkpoint_to_the_same_bits_on_any_ranks) {
  const std::uint64_t straight = run({});
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  const CheckpointTarget target{.folder = "out",
                                .keep = 2,
                                .scheme = "advection",
                                .components = {"q"},
                                .totals_at_start = {1.5},
                                .deck = "[time]\n"};
  on_ranks({.n_ranks = 3}, files, [&](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), leaf_settings());
    for (const int step : {5, 6}) {
      ASSERT_TRUE(simulation->advance_to(step));
      ASSERT_TRUE(simulation->write_checkpoint(target));
    }
  });
  using mesh::Partitioner;
  for (const char* path : {"out/chk00005", "out/chk00006"})
    for (const int n_ranks : {1, 2, 40})
      for (const auto partitioner : {Partitioner::morton, Partitioner::knapsack})
        on_ranks({.n_ranks = n_ranks}, files, [&](const Context& context) {
          const auto from = whole_checkpoint(context, path);
          ASSERT_TRUE(from) << from.error().message;
          const auto simulation = testing::made(context, testing::carried_spot(),
                                                leaf_settings({.partitioner = partitioner}), *from);
          expect_balanced(*simulation);
          ASSERT_TRUE(simulation->advance_to(40));
          EXPECT_EQ(thalweg::testing::checksum(*simulation), straight)
              << path << " on " << n_ranks << " ranks";
        });
}

TEST(LeafMode, refuses_subcycling_and_checkpoints_of_nested_forests) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  on_ranks({.n_ranks = 2}, files, [&](const Context& context) {
    auto settings = leaf_settings();
    settings.time.subcycle = true;
    EXPECT_THROW(testing::made(context, testing::carried_spot(), settings), Error);

    const auto nested = testing::made(context, testing::carried_spot(), testing::settings());
    ASSERT_TRUE(nested->advance_to(2));
    const auto from = nested->write_checkpoint({.folder = "out",
                                                .keep = 2,
                                                .scheme = "advection",
                                                .components = {"q"},
                                                .totals_at_start = {1.5},
                                                .deck = "[time]\n"});
    ASSERT_TRUE(from);
    try {
      testing::made(context, testing::carried_spot(), leaf_settings(), *from);
      ADD_FAILURE() << "a forest with parts of families was taken for leaves";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("are no leaves"), std::string::npos) << error.what();
    }
  });
}

}  // namespace
}  // namespace thalweg::app
