// SPDX-License-Identifier: MIT
#include <thalweg/comm/compute_node_mpi.hpp>

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <thalweg/comm/testing/mpi_main.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/flow/node_shared.hpp>

namespace thalweg::comm {
namespace {

class ComputeNodeTest : public testing::Test {
 protected:
  ComputeNodeTest() { transport.set_watchdog(test_watchdog_s); }
  NodeSharedArray<std::uint64_t> gather(std::uint64_t mine) {
    return flow::all_gather_node_shared(transport, std::span<const std::uint64_t>(&mine, 1));
  }
  std::size_t n_windows() {
    return dynamic_cast<MpiComputeNode&>(*transport.compute_node()).n_windows();
  }

  MpiTransport transport{*test_session};
  const std::uint64_t here = transport.rank()();
  std::uint64_t n_ranks() const { return static_cast<std::uint64_t>(transport.n_ranks()); }
  /// The host of each rank; one, unless tests/hosts runs this.
  const std::vector<std::string> hosts = names_of_hosts();

 private:
  std::vector<std::string> names_of_hosts() const {
    using Name = std::array<char, MPI_MAX_PROCESSOR_NAME>;
    std::vector<Name> names(n_ranks());
    int size = 0;
    MPI_Get_processor_name(names[here].data(), &size);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, names.data(), sizeof(Name), MPI_CHAR,
                  MPI_COMM_WORLD);
    std::vector<std::string> all;
    for (const Name& name : names) all.emplace_back(name.data());
    return all;
  }
};

TEST_F(ComputeNodeTest, names_the_ranks_of_this_machine_and_the_first_of_each) {
  std::vector<Rank> mine, firsts;
  for (std::size_t r = 0; r < hosts.size(); ++r) {
    if (hosts[r] == hosts[here]) mine.emplace_back(static_cast<int>(r));
    if (std::ranges::find(hosts, hosts[r]) == hosts.begin() + static_cast<std::ptrdiff_t>(r))
      firsts.emplace_back(static_cast<int>(r));
  }
  EXPECT_TRUE(std::ranges::equal(transport.compute_node()->ranks(), mine));
  EXPECT_TRUE(std::ranges::equal(transport.compute_node()->firsts(), firsts));
}

TEST_F(ComputeNodeTest, gathers_into_memory_that_all_see) {
  for (std::uint64_t time = 0; time < 50; ++time) {
    const auto all = gather(100 * time + here);
    ASSERT_EQ(all.size(), n_ranks());
    for (std::uint64_t r = 0; r < n_ranks(); ++r) EXPECT_EQ(all[r], 100 * time + r);
    const auto n_here = static_cast<std::size_t>(std::ranges::count(hosts, hosts[here]));
    EXPECT_EQ(all.n_bytes(), 8 * all.size() / n_here);  // its part of the list
  }
}

TEST_F(ComputeNodeTest, one_rank_writes_what_the_others_read) {
  const auto list = flow::write_node_shared<std::uint64_t>(
      transport, 1000, [&](std::span<std::uint64_t> to) { std::ranges::fill(to, here + 5); });
  const auto first =
      static_cast<std::uint64_t>(std::ranges::find(hosts, hosts[here]) - hosts.begin());
  EXPECT_EQ(list, std::vector<std::uint64_t>(1000, first + 5));
}

// A forest is kept over regrids, and ranks drop theirs at different times.
TEST_F(ComputeNodeTest, what_one_rank_still_holds_stays_as_it_is) {
  std::optional<NodeSharedArray<std::uint64_t>> kept = gather(7 * here);
  for (std::uint64_t time = 0; time < 20; ++time) {
    if (time == 3 * here + 1) kept.reset();
    if (kept) {
      for (std::uint64_t r = 0; r < n_ranks(); ++r) EXPECT_EQ((*kept)[r], 7 * r);
    }
    const auto other = gather(1000 + time);
    for (std::uint64_t r = 0; r < n_ranks(); ++r) EXPECT_EQ(other[r], 1000 + time);
  }
  EXPECT_EQ(n_windows(), 2u);
}

TEST_F(ComputeNodeTest, memory_that_nobody_holds_is_used_again) {
  for (int time = 0; time < 100; ++time) gather(here);
  EXPECT_EQ(n_windows(), 1u);
  const auto larger = flow::write_node_shared<std::uint64_t>(
      transport, 10'000, [](std::span<std::uint64_t> to) { std::ranges::fill(to, 1u); });
  EXPECT_EQ(n_windows(), 2u);
  EXPECT_EQ(larger[9'999], 1u);
  gather(here);
  EXPECT_EQ(n_windows(), 2u);
}

}  // namespace
}  // namespace thalweg::comm
