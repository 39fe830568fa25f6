// SPDX-License-Identifier: MIT
// flow/node_shared.hpp, on simulated ranks and compute nodes.
#include <thalweg/flow/node_shared.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include <thalweg/comm/sim_network.hpp>

namespace thalweg::comm {
namespace {

using flow::Transport;

/// Which compute node each rank is on: one for all, one each, and ranks of a compute node that do
/// not follow each other.
const std::vector<std::vector<int>> all_compute_nodes = {
    {0}, {0, 0, 0}, {0, 1, 2}, {0, 0, 1, 1, 1, 2}, {1, 0, 1, 2, 0, 1, 0}, {2, 1, 0, 2, 2}};

/// Runs a program on all kinds of compute nodes, and where there are none, with some seeds.
void on_compute_nodes(const std::function<void(Transport&, const std::vector<int>&)>& program) {
  for (const auto& compute_nodes : all_compute_nodes)
    for (const bool has_compute_nodes : {true, false})
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        SimNetwork network(
            {.n_ranks = static_cast<int>(compute_nodes.size()),
             .seed = seed,
             .compute_nodes = has_compute_nodes ? compute_nodes : std::vector<int>{}});
        std::vector<int> alone;
        for (std::size_t r = 0; r < compute_nodes.size(); ++r) alone.push_back(static_cast<int>(r));
        const auto result = network.run(
            [&](Transport& t) { program(t, has_compute_nodes ? compute_nodes : alone); });
        ASSERT_TRUE(result) << compute_nodes.size() << " ranks, seed " << seed << ": "
                            << result.error().message;
      }
}

TEST(AllGatherNodeShared, has_the_values_of_each_rank_in_their_order) {
  on_compute_nodes([](Transport& t, const auto&) {
    const std::array<std::uint64_t, 2> mine{10 * t.rank()(), 10 * t.rank()() + 1};
    for (int time = 0; time < 3; ++time) {
      const auto all = flow::all_gather_node_shared(t, std::span<const std::uint64_t>(mine));

      ASSERT_EQ(all.size(), 2 * static_cast<std::size_t>(t.n_ranks()));
      for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], 10 * (i / 2) + i % 2);
    }
  });
}

TEST(AllGatherNodeShared, takes_nothing_of_all_too) {
  on_compute_nodes([](Transport& t, const auto&) {
    EXPECT_TRUE(flow::all_gather_node_shared(t, std::span<const double>()).empty());
  });
}

TEST(AllGatherNodeShared, lies_in_memory_once_a_node) {
  for (const auto& compute_nodes : all_compute_nodes) {
    std::map<int, std::set<const int*>> places;
    std::size_t n_bytes = 0;
    SimNetwork network(
        {.n_ranks = static_cast<int>(compute_nodes.size()), .compute_nodes = compute_nodes});
    std::vector<NodeSharedArray<int>> kept;  // so that no memory is used again
    const auto result = network.run([&](Transport& t) {
      const int mine = 1;
      kept.push_back(flow::all_gather_node_shared(t, std::span(&mine, 1)));
      places[compute_nodes[t.rank()()]].insert(kept.back().data());
      n_bytes += kept.back().n_bytes();
    });
    ASSERT_TRUE(result) << result.error().message;
    std::set<const int*> different;
    for (const auto& [compute_node, of_compute_node] : places) {
      EXPECT_EQ(of_compute_node.size(), 1u);
      different.insert(of_compute_node.begin(), of_compute_node.end());
    }
    EXPECT_EQ(different.size(), places.size());
    // All that ranks say they hold is a list a compute node, but for what is rounded up.
    EXPECT_NEAR(static_cast<double>(n_bytes),
                static_cast<double>(places.size() * compute_nodes.size() * sizeof(int)),
                static_cast<double>(compute_nodes.size()));
  }
}

TEST(WriteNodeShared, one_rank_of_each_node_writes_for_all) {
  std::map<int, int> n_writes;
  on_compute_nodes([&](Transport& t, const std::vector<int>& compute_nodes) {
    const auto list =
        flow::write_node_shared<std::uint32_t>(t, 5, [&](std::span<std::uint32_t> to) {
          for (std::uint32_t i = 0; i < to.size(); ++i) to[i] = 7 * i;
        });
    EXPECT_EQ(list, (std::vector<std::uint32_t>{0, 7, 14, 21, 28}));
    const int here = compute_nodes[t.rank()()];
    n_writes.clear();
    flow::barrier(t);
    flow::write_node_shared<char>(t, 1, [&](std::span<char>) { ++n_writes[here]; });
    flow::barrier(t);
    EXPECT_EQ(n_writes[here], 1);
    flow::barrier(t);
  });
}

}  // namespace
}  // namespace thalweg::comm
