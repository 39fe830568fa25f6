// SPDX-License-Identifier: MIT
// Who gets which blocks must not be seen in the results, also where blocks move while a run goes.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "../support/dimensions.hpp"
#include "../support/leaves.hpp"
#include "../support/simulated.hpp"

namespace thalweg::testing {
namespace {

io::Deck blast(int dim, const std::vector<std::string>& partition) {
  std::vector<std::string> all{"problem.name=blast",
                               "problem.radius=0.1",
                               "problem.pressure=0.1",
                               "problem.centre=" + repeated(dim, "0.4"),
                               "problem.velocity=" + repeated(dim, "0.7"),
                               "mesh.dim=" + std::to_string(dim),
                               "mesh.lower=" + repeated(dim, "0"),
                               "mesh.upper=" + repeated(dim, "1"),
                               "mesh.root_blocks=" + repeated(dim, "2"),
                               "mesh.block_cells=8",
                               std::string("mesh.max_level=") + (dim == 3 ? "1" : "2"),
                               "boundary.lower=" + repeated(dim, "'periodic'"),
                               "boundary.upper=" + repeated(dim, "'periodic'"),
                               "time.end=10",
                               "time.max_steps=10",
                               "regrid.interval=2"};
  all.insert(all.end(), partition.begin(), partition.end());
  return deck("", all);
}

struct Outcome {
  std::uint64_t checksum = 0;
  std::uint64_t revision = 0;
};

template <int D>
Outcome after(const std::vector<std::string>& partition, const SimulatedRun& run) {
  Outcome outcome;
  const auto done = simulate<D>(blast(D, partition), run, [&](auto& simulation) {
    const auto advanced = simulation.advance_to(10);
    EXPECT_TRUE(advanced) << advanced.error().message;
    const auto sum = checksum(simulation);
    if (simulation.context().transport.rank() == Rank{0})
      outcome = {sum, simulation.mesh().forest.revision};
  });
  EXPECT_TRUE(done) << done.error().message;
  return outcome;
}

template <class Dimension>
class Partitioners : public ::testing::Test {};
TYPED_TEST_SUITE(Partitioners, Dimensions);

TYPED_TEST(Partitioners, give_the_same_bits_on_any_ranks_and_models_also_idle_ones) {
  constexpr int dim = TypeParam::value;
  const Outcome alone = after<dim>({}, {});
  EXPECT_GE(alone.revision, 3u) << "the case is too easy";
  int n = 0;
  for (const std::string method : {"hilbert", "round_robin", "knapsack"})
    for (const int n_ranks : {1, 2, 3, 6, 20}) {  // 20: more than there are blocks of level 0
      if (dim == 3 && n_ranks % 2 == 0 && n_ranks < 20) continue;
      const SimulatedRun run{.n_ranks = n_ranks,
                             .seed = static_cast<std::uint64_t>(n),
                             .model = static_cast<flow::Model>(n % 4)};
      const std::string threshold = n % 3 == 0 ? "1.3" : "1";
      EXPECT_EQ(after<dim>({"partition.method=" + method, "partition.threshold=" + threshold}, run)
                    .checksum,
                alone.checksum)
          << method << " on " << n_ranks << " ranks";
      ++n;
    }
}

TYPED_TEST(Partitioners, give_the_same_bits_where_messages_find_owners_without_a_table) {
  constexpr int dim = TypeParam::value;
  const Outcome alone = after<dim>({}, {});
  int n = 0;
  for (const int n_ranks : {1, 3, 20}) {
    const SimulatedRun run{.n_ranks = n_ranks,
                           .seed = static_cast<std::uint64_t>(n),
                           .model = static_cast<flow::Model>(n % 4)};
    const std::string threshold = n % 2 == 0 ? "1.3" : "1";
    EXPECT_EQ(after<dim>({"partition.directory=routed", "partition.threshold=" + threshold}, run)
                  .checksum,
              alone.checksum)
        << n_ranks << " ranks";
    ++n;
  }
}

TEST(PartitionersByCost, give_the_same_bits) {
  const Outcome alone = after<2>({}, {});
  EXPECT_EQ(
      after<2>({"partition.directory=routed", "partition.cost=measured"}, {.n_ranks = 3}).checksum,
      alone.checksum);
  for (const std::string method : {"hilbert", "round_robin", "knapsack"})
    EXPECT_EQ(after<2>({"partition.method=" + method, "partition.cost=measured"}, {.n_ranks = 3})
                  .checksum,
              alone.checksum)
        << method;
}

}  // namespace
}  // namespace thalweg::testing
