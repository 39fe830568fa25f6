// SPDX-License-Identifier: MIT
#include <thalweg/mesh/route.hpp>

#include <bit>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh {
namespace {

// A virtual rank that counts rounds.
struct CountingRank : testing::VirtualRank {
  int n_rounds = 0;

  template <class T>
  std::vector<T> ring_shift(std::span<const T> mine, std::int64_t distance) {
    ++n_rounds;
    return testing::VirtualRank::ring_shift(mine, distance);
  }
};

// Every rank writes to all places of all levels, and to all ranks; a table says where that goes.
template <int D>
void expect_routed(const testing::Case<D>& c, int n_ranks) {
  SCOPED_TRACE(::testing::Message() << c << " on " << n_ranks);
  const auto tables = testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    return testing::random_forest(c, rank, n_ranks, collectives);
  });
  testing::Case<D> without = c;
  without.directory = Directory::routed;
  testing::on_ranks(n_ranks, [&](Rank rank, auto plain) {
    CountingRank collectives{plain};
    const auto forest = testing::random_forest(without, rank, n_ranks, collectives);
    Outgoing<Key<D>> out;
    Messages<Key<D>> expected;
    for (int l = 0; l < forest.n_levels(); ++l)
      for (std::uint64_t code = 0; code < forest.geometry.code_end(l); code += 1 + code / 64) {
        const Key<D> place{l, code};
        out.emplace_back(Destination(place), place);
        EXPECT_EQ(forest.is_directory_of(place), tables[0].directory_rank(place) == rank);
        for (int from = 0; from < n_ranks; ++from)
          if (tables[0].directory_rank(place) == rank) expected.emplace_back(Rank(from), place);
      }
    for (int q = 0; q < n_ranks; ++q) {
      const Key<D> name{0, static_cast<std::uint64_t>(q)};
      out.emplace_back(Destination(Rank(q)), name);
      if (rank == Rank(q))
        for (int from = 0; from < n_ranks; ++from) expected.emplace_back(Rank(from), name);
    }
    std::ranges::stable_sort(expected, {}, [](const auto& message) { return message.first; });
    collectives.n_rounds = 0;
    EXPECT_EQ(route(forest, out, collectives), expected) << "rank " << rank();
    EXPECT_EQ(collectives.n_rounds, std::bit_width(static_cast<unsigned>(n_ranks - 1)));
    return 0;
  });
}

TEST(Route, brings_messages_to_directory_ranks_in_the_logarithm_of_the_ranks_in_rounds) {
  for (const int n_ranks : {1, 2, 3, 5, 7, 16, 19}) {
    expect_routed(testing::cases<1>()[1], n_ranks);
    expect_routed(testing::cases<1>()[0], n_ranks);  // ranks without blocks
    expect_routed(testing::cases<2>()[7], n_ranks);
    expect_routed(testing::cases<3>()[2], n_ranks);
  }
}

TEST(Route, places_outside_the_domain_are_a_broken_contract) {
  const Geometry<1> geometry({.root_blocks = {5}});
  const auto forest = initial_routed_forest(geometry, Rank(0), 2);
  EXPECT_TRUE(is_within(forest, Destination(Key<1>{0, 0}), 0));
  EXPECT_FALSE(is_within(forest, Destination(Key<1>{0, 4}), 0));
  EXPECT_THROW(is_within(forest, Destination(Key<1>{0, geometry.code_end(0)}), 0),
               ContractViolation);
  EXPECT_THROW(forest.directory_rank({0, 4}), ContractViolation);
}

}  // namespace
}  // namespace thalweg::mesh
