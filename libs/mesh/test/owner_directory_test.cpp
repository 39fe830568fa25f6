// SPDX-License-Identifier: MIT
#include <thalweg/mesh/owner_directory.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::mesh {
namespace {

// Five ranks, of which the second and the last have nothing.
const std::vector<std::uint64_t> splitters{0, 3, 3, 4, 9, 9};
constexpr int n_ranks = 5;

OwnerDirectory by_table(unsigned rank) {
  return {Rank(rank), std::vector(splitters)};
}
OwnerDirectory routed(unsigned rank) {
  const auto splitter_of = [](int q) { return splitters[static_cast<std::size_t>(q)]; };
  return {Rank(rank), n_ranks, routing_table_of(Rank(rank), n_ranks, splitter_of), 9};
}
Rank rank_at(std::uint64_t position) {
  return Rank(position < 3 ? 0 : position < 4 ? 2 : 3);
}

TEST(OwnerDirectory, knows_its_own_part_and_with_a_table_all_others) {
  for (unsigned rank = 0; rank < n_ranks; ++rank)
    for (std::uint64_t position = 0; position < 9; ++position) {
      const bool is_own = rank_at(position) == Rank(rank);
      EXPECT_EQ(by_table(rank).range().contains(position), is_own);
      EXPECT_EQ(routed(rank).range().contains(position), is_own);
      EXPECT_EQ(by_table(rank).rank_of(position), rank_at(position));
      const Key<1> place{0, position};
      EXPECT_EQ(by_table(rank).destination_of(position, place), Destination(rank_at(position)));
      EXPECT_EQ(routed(rank).destination_of(position, place),
                is_own ? Destination(Rank(rank)) : Destination(place));
    }
  EXPECT_THROW(by_table(1).rank_of(9), ContractViolation);
  EXPECT_THROW(routed(1).rank_of(0), ContractViolation);
}

TEST(OwnerDirectory, without_a_table_knows_what_lies_within_a_power_of_two_of_ranks) {
  EXPECT_TRUE(by_table(0).has_table());
  EXPECT_TRUE(routed(0).splitters().empty());
  EXPECT_EQ(routed(0).routing_table().size(), routing_table_size(n_ranks));
  for (unsigned rank = 0; rank < n_ranks; ++rank)
    for (int hop = 0; hop < 3; ++hop)
      for (std::uint64_t position = 0; position < 9; ++position)
        EXPECT_EQ(routed(rank).reach(hop).contains(position),
                  (rank_at(position)() + n_ranks - rank) % n_ranks < 1u << hop)
            << position << " from " << rank << ", hop " << hop;
  EXPECT_THROW(routed(0).reach(3), ContractViolation);
}

TEST(OwnerDirectory, has_a_table_for_so_many_ranks_and_no_more) {
  EXPECT_EQ(directory_for(max_table_ranks), Directory::table);
  EXPECT_EQ(directory_for(max_table_ranks + 1), Directory::routed);
  EXPECT_NO_THROW(check_n_ranks(max_table_ranks));
  EXPECT_THROW(check_n_ranks(max_table_ranks + 1), Error);
}

}  // namespace
}  // namespace thalweg::mesh
