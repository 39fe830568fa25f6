// SPDX-License-Identifier: MIT
#include <thalweg/mesh/messages.hpp>

#include <gtest/gtest.h>

namespace thalweg::mesh {
namespace {

TEST(Messages, to_all_addresses_every_rank_once_in_order) {
  EXPECT_EQ(to_all(3, 7), (Messages<int>{{Rank(0), 7}, {Rank(1), 7}, {Rank(2), 7}}));
}

}  // namespace
}  // namespace thalweg::mesh
