// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/collectives.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/testing/virtual_ranks.hpp>

namespace thalweg::exchange {
namespace {

TEST(TransportCollectives, do_what_is_asked_and_count_it) {
  testing::on_virtual_ranks(3, [](testing::VirtualRank& self) {
    TransportCollectives collectives = self.collectives();
    EXPECT_EQ(collectives.n_calls(), 0);
    const auto rank = self.rank()();
    const Rank next((rank + 1) % 3);
    const auto arrived = collectives.exchange(mesh::Messages<int>{{next, static_cast<int>(rank)}});
    ASSERT_EQ(arrived.size(), 1u);
    EXPECT_EQ(arrived[0].second, static_cast<int>((rank + 2) % 3));
    EXPECT_EQ(collectives.exchange(mesh::Messages<int>{}).size(), 0u);
    EXPECT_EQ(collectives.n_calls(), 2);
    EXPECT_EQ(collectives.all_gather(rank), (std::vector<std::uint32_t>{0, 1, 2}));
    const std::array mine{rank, rank};
    EXPECT_EQ(collectives.all_gather_many<std::uint32_t>(mine).size(), 6u);
    EXPECT_EQ(collectives.ring_shift<std::uint32_t>(mine, 1).size(), 2u);
    EXPECT_EQ(collectives.all_reduce(rank, std::plus<>()), 3u);
    EXPECT_EQ(collectives.n_calls(), 6);
  });
}

}  // namespace
}  // namespace thalweg::exchange
