// SPDX-License-Identifier: MIT
// What a block is like must not be seen in the results: neither on one level, where another shape
// only cuts the same cells otherwise, nor in how a mesh of long blocks is spread over ranks.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "../support/dimensions.hpp"
#include "../support/leaves.hpp"
#include "../support/simulated.hpp"

namespace thalweg::testing {
namespace {

struct Blocks {
  std::string root_blocks;
  std::string block_cells;
  int max_level = 0;
};

io::Deck blast(int dim, const Blocks& blocks) {
  return deck("",
              {"problem.name=blast", "problem.radius=0.1", "problem.pressure=0.1",
               "problem.centre=" + repeated(dim, "0.4"), "problem.velocity=" + repeated(dim, "0.5"),
               "mesh.dim=" + std::to_string(dim), "mesh.lower=" + repeated(dim, "0"),
               "mesh.upper=" + repeated(dim, "1"), "mesh.root_blocks=" + blocks.root_blocks,
               "mesh.block_cells=" + blocks.block_cells,
               "mesh.max_level=" + std::to_string(blocks.max_level),
               "boundary.lower=" + repeated(dim, "'reflecting'"),
               "boundary.upper=" + repeated(dim, "'outflow'"), "time.end=10", "time.max_steps=8",
               "regrid.interval=2"});
}

// A number over all leaf cells at the end, wherever they are kept.
template <int D>
std::uint64_t checksum_after(const Blocks& blocks, const SimulatedRun& run = {}) {
  std::uint64_t sum = 0;
  const auto done = simulate<D>(blast(D, blocks), run, [&](auto& simulation) {
    const auto advanced = simulation.advance_to(8);
    EXPECT_TRUE(advanced) << advanced.error().message;
    EXPECT_EQ(simulation.mesh().n_levels(), blocks.max_level + 1);
    const auto all = checksum(simulation);
    if (simulation.context().transport.rank() == Rank{0}) sum = all;
  });
  EXPECT_TRUE(done) << done.error().message;
  return sum;
}

template <int D>
void expect_same(const std::vector<Blocks>& shapes) {
  const std::uint64_t cubes = checksum_after<D>(shapes[0]);
  for (const Blocks& shape : shapes)
    EXPECT_EQ(checksum_after<D>(shape, {.n_ranks = 3}), cubes) << shape.block_cells;
}

TEST(BlockShapes, give_the_same_bits_on_one_level_2d) {
  expect_same<2>({{"[6,4]", "8"}, {"[3,4]", "[16,8]"}, {"[6,1]", "[8,32]"}, {"[2,2]", "[24,16]"}});
}
TEST(BlockShapes, give_the_same_bits_on_one_level_3d) {
  expect_same<3>({{"[2,2,3]", "8"}, {"[1,2,3]", "[16,8,8]"}, {"[2,1,1]", "[8,16,24]"}});
}

template <int D>
void expect_invariance(const Blocks& blocks) {
  const std::uint64_t alone = checksum_after<D>(blocks);
  for (int seed = 0; seed < 8; ++seed) {
    const SimulatedRun run{.n_ranks = 2 + seed % 5,
                           .seed = static_cast<std::uint64_t>(seed),
                           .model = static_cast<flow::Model>(seed % 4)};
    EXPECT_EQ(checksum_after<D>(blocks, run), alone) << "seed " << seed;
  }
}

TEST(BlockShapes, give_the_same_bits_for_any_ranks_and_models_2d) {
  expect_invariance<2>({"[2,1]", "[16,24]", 2});
}
TEST(BlockShapes, give_the_same_bits_for_any_ranks_and_models_3d) {
  expect_invariance<3>({"[1,2,1]", "[16,8,12]", 1});
}

}  // namespace
}  // namespace thalweg::testing
