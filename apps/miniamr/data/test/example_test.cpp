// SPDX-License-Identifier: MIT
// The program of README.md.
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/transport_alone.hpp>
#include <thalweg/miniamr/data/initial.hpp>

#include "forest.hpp"

namespace thalweg::miniamr::data::testing {
namespace {

TEST(Example, steps_and_finds_its_checksums_kept) {
  comm::AloneTransport transport;
  const SteadyClock clock;
  const Rank rank(0);
  const int n_ranks = 1;
  const auto model = flow::Model::dataflow;
  const Shape shape{{4, 4, 4}, 2};
  const auto n_vars = static_cast<std::size_t>(shape.n_vars);
  const StageSettings settings{.n_stages = 4, .checksum_freq = 2};
  const std::int64_t timestep = 1;
  const std::uint64_t timesteps_until_regrid = 3;
  const Index<3> root_blocks{{2, 2, 2}};
  const mesh::LeafRules<3> rules{
      mesh::Geometry<3>({.root_blocks = root_blocks, .block_cells = 8, .max_level = 1}),
      mesh::Adjacency::faces};
  const auto forest = mesh::initial_leaves(rules, 0, rank, n_ranks);
  mesh::testing::OneRank collectives;
  const Layout layout = layout_of(
      forest, mesh::testing::find_neighbours(forest, mesh::Adjacency::faces, collectives));
  const auto keys = keys_of(layout);

  Store store(shape);  // has_corners: where the stencil is not the 7-point one
  store.assign(keys);  // root blocks
  set_hashed(store, root_blocks);
  const std::uint64_t hash_before = field_hash(store);
  Checksums checksums{.last = std::vector<double>(n_vars), .first_timestep = timestep};
  flow::Recorder recorder(rank, n_ranks), first_recorder(rank, n_ranks);
  record_first_checksums(first_recorder, store, checksums);
  record_timestep(recorder, settings, layout, store, checksums);
  flow::Graph first = flow::capture(std::move(first_recorder), model);
  flow::Graph step = flow::capture(std::move(recorder), model);
  flow::Executor executor({.scratch_bytes = scratch_bytes(shape)}, transport, clock);
  auto report = executor.run(first, 1);
  if (report) report = executor.run(step, timesteps_until_regrid);

  ASSERT_TRUE(report) << report.error().message;
  EXPECT_NE(field_hash(store), hash_before);
  for (const double sum : checksums.last) EXPECT_NEAR(sum / (8 * 64), 0.5, 0.1);
}

}  // namespace
}  // namespace thalweg::miniamr::data::testing
