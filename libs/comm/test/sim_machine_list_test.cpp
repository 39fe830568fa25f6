// SPDX-License-Identifier: MIT
// flow/machine_list.hpp, on simulated ranks and machines.
#include <thalweg/flow/machine_list.hpp>

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

/// Which machine each rank is on: one for all, one each, and ranks of a machine that do not follow
/// each other.
const std::vector<std::vector<int>> all_machines = {
    {0}, {0, 0, 0}, {0, 1, 2}, {0, 0, 1, 1, 1, 2}, {1, 0, 1, 2, 0, 1, 0}, {2, 1, 0, 2, 2}};

/// Runs a program on all kinds of machines, and where there are none, with some seeds.
void on_machines(const std::function<void(Transport&, const std::vector<int>&)>& program) {
  for (const auto& machines : all_machines)
    for (const bool has_machines : {true, false})
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        SimNetwork network({.n_ranks = static_cast<int>(machines.size()),
                            .seed = seed,
                            .machines = has_machines ? machines : std::vector<int>{}});
        std::vector<int> alone;
        for (std::size_t r = 0; r < machines.size(); ++r) alone.push_back(static_cast<int>(r));
        const auto result =
            network.run([&](Transport& t) { program(t, has_machines ? machines : alone); });
        ASSERT_TRUE(result) << machines.size() << " ranks, seed " << seed << ": "
                            << result.error().message;
      }
}

TEST(AllGatherOnMachine, has_the_values_of_each_rank_in_their_order) {
  on_machines([](Transport& t, const auto&) {
    const std::array<std::uint64_t, 2> mine{10 * t.rank()(), 10 * t.rank()() + 1};
    for (int time = 0; time < 3; ++time) {
      const auto all = flow::all_gather_on_machine(t, std::span<const std::uint64_t>(mine));

      ASSERT_EQ(all.size(), 2 * static_cast<std::size_t>(t.n_ranks()));
      for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], 10 * (i / 2) + i % 2);
    }
  });
}

TEST(AllGatherOnMachine, takes_nothing_of_all_too) {
  on_machines([](Transport& t, const auto&) {
    EXPECT_TRUE(flow::all_gather_on_machine(t, std::span<const double>()).empty());
  });
}

TEST(AllGatherOnMachine, lies_in_memory_once_a_node) {
  for (const auto& machines : all_machines) {
    std::map<int, std::set<const int*>> places;
    std::size_t n_bytes = 0;
    SimNetwork network({.n_ranks = static_cast<int>(machines.size()), .machines = machines});
    std::vector<SharedList<int>> kept;  // so that no memory is used again
    const auto result = network.run([&](Transport& t) {
      const int mine = 1;
      kept.push_back(flow::all_gather_on_machine(t, std::span(&mine, 1)));
      places[machines[t.rank()()]].insert(kept.back().data());
      n_bytes += kept.back().n_bytes();
    });
    ASSERT_TRUE(result) << result.error().message;
    std::set<const int*> different;
    for (const auto& [machine, of_machine] : places) {
      EXPECT_EQ(of_machine.size(), 1u);
      different.insert(of_machine.begin(), of_machine.end());
    }
    EXPECT_EQ(different.size(), places.size());
    // All that ranks say they hold is a list a machine, but for what is rounded up.
    EXPECT_NEAR(static_cast<double>(n_bytes),
                static_cast<double>(places.size() * machines.size() * sizeof(int)),
                static_cast<double>(machines.size()));
  }
}

TEST(WriteOnMachine, one_rank_of_each_node_writes_for_all) {
  std::map<int, int> n_writes;
  on_machines([&](Transport& t, const std::vector<int>& machines) {
    const auto list = flow::write_on_machine<std::uint32_t>(t, 5, [&](std::span<std::uint32_t> to) {
      for (std::uint32_t i = 0; i < to.size(); ++i) to[i] = 7 * i;
    });
    EXPECT_EQ(list, (std::vector<std::uint32_t>{0, 7, 14, 21, 28}));
    const int here = machines[t.rank()()];
    n_writes.clear();
    flow::barrier(t);
    flow::write_on_machine<char>(t, 1, [&](std::span<char>) { ++n_writes[here]; });
    flow::barrier(t);
    EXPECT_EQ(n_writes[here], 1);
    flow::barrier(t);
  });
}

}  // namespace
}  // namespace thalweg::comm
