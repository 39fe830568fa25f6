// SPDX-License-Identifier: MIT
// Whether blocks lie in arrays of their own or are joined must not be seen in the results, however
// they are advanced.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "../support/dimensions.hpp"
#include "../support/leaves.hpp"
#include "../support/simulated.hpp"

namespace thalweg::testing {
namespace {

using Words = std::vector<std::string>;

/// A blast on three levels, moving through a box.
io::Deck blast(int dim, bool joins, const Words& words) {
  Words all{"problem.name=blast",
            "problem.radius=0.1",
            "problem.pressure=0.1",
            "problem.centre=" + repeated(dim, "0.4"),
            "problem.velocity=" + repeated(dim, "0.5"),
            "mesh.dim=" + std::to_string(dim),
            "mesh.lower=" + repeated(dim, "0"),
            "mesh.upper=" + repeated(dim, "1"),
            "mesh.root_blocks=" + repeated(dim, dim == 1   ? "20"
                                                : dim == 2 ? "5"
                                                           : "3"),
            "mesh.block_cells=8",
            "mesh.max_level=" + std::to_string(dim == 3 ? 1 : 2),
            "boundary.lower=" + repeated(dim, "'reflecting'"),
            "boundary.upper=" + repeated(dim, "'outflow'"),
            "time.end=10",
            "time.max_steps=6",
            "regrid.interval=2",
            std::string("mesh.join_blocks=") + (joins ? "true" : "false")};
  all.insert(all.end(), words.begin(), words.end());
  return deck("", all);
}

struct Left {
  std::uint64_t cells = 0;  ///< of all leaves
  double dt = 0;            ///< of the last step

  bool operator==(const Left&) const = default;
};

template <int D>
Left after_joined_steps(bool joins, const Words& words, const SimulatedRun& run) {
  Left left;
  const auto done = simulate<D>(blast(D, joins, words), run, [&](auto& simulation) {
    const auto advanced = simulation.advance_to(6);
    EXPECT_TRUE(advanced) << advanced.error().message;
    std::size_t n_joined = 0;
    for (const auto& level : simulation.state().cells) n_joined += level.joined().size();
    if (!joins) {
      EXPECT_EQ(n_joined, 0u);
    } else if (run.n_ranks == 1) {
      EXPECT_GT(n_joined, 0u);
    }
    const auto all = checksum(simulation);
    if (simulation.context().transport.rank() == Rank{0})
      left = {all, simulation.time_state().dt_before};
  });
  EXPECT_TRUE(done) << done.error().message;
  return left;
}

/// Expect the bits of blocks apart on one rank.
template <int D>
void expect_same_joined(const Words& words) {
  SCOPED_TRACE(::testing::PrintToString(words));
  const Left apart = after_joined_steps<D>(false, words, {});
  EXPECT_EQ(after_joined_steps<D>(true, words, {}), apart);
  for (int seed = 0; seed < 3; ++seed) {
    const SimulatedRun run{.n_ranks = 1 + seed,
                           .seed = static_cast<std::uint64_t>(seed),
                           .model = static_cast<flow::Model>(3 - seed),
                           .grain = seed == 1 ? 4u : 1u,
                           .n_workers = seed == 0 ? 2u : 1u};
    EXPECT_EQ(after_joined_steps<D>(true, words, run), apart) << "seed " << seed;
  }
}

TEST(JoinedBlocks, leave_the_same_bits_with_each_scheme) {
  for (const std::string scheme : {"vl2", "ctu", "rk2", "rk3"})
    expect_same_joined<2>({"hydro.scheme=" + scheme, "hydro.reconstruction=ppm"});
  expect_same_joined<1>({"hydro.scheme=ctu", "hydro.reconstruction=ppm"});
  expect_same_joined<3>({"hydro.scheme=vl2", "hydro.reconstruction=ppm"});
}

TEST(JoinedBlocks, leave_the_same_bits_without_subcycling) {
  expect_same_joined<2>({"hydro.scheme=vl2", "time.subcycle=false"});
  expect_same_joined<2>({"hydro.scheme=rk3", "mesh.mode=leaf", "time.subcycle=false"});
}

// How fast a source lets signals grow is asked of each block, and decides on dt.
TEST(JoinedBlocks, leave_the_same_bits_with_sources_that_make_signals_grow) {
  for (const std::string scheme : {"vl2", "ctu", "rk3"})
    expect_same_joined<2>(
        {"hydro.scheme=" + scheme, "hydro.reconstruction=ppm", "source.gravity=[0,-800]"});
}

TEST(JoinedBlocks, leave_the_same_bits_with_steps_that_are_taken_again) {
  expect_same_joined<2>(
      {"hydro.scheme=ctu", "hydro.reconstruction=ppm", "time.cfl=0.95", "problem.pressure=1e-4"});
}

TEST(JoinedBlocks, leave_the_same_bits_with_other_ratios_and_costs) {
  expect_same_joined<2>({"mesh.ratio=4", "mesh.max_level=1", "partition.cost=measured"});
}

}  // namespace
}  // namespace thalweg::testing
