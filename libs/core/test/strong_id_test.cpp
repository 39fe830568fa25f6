// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <concepts>
#include <map>
#include <thalweg/core/strong_id.hpp>
#include <unordered_set>

namespace thalweg {
namespace {

using Door = StrongId<struct DoorOf>;
using Window = StrongId<struct WindowOf>;

template <class T>
concept HasArithmetic = requires(T a, T b) { a + b; } || requires(T a) { ++a; };

static_assert(!std::convertible_to<Door, Window> && !std::constructible_from<Window, Door>);
static_assert(!std::convertible_to<int, Door> && !std::convertible_to<Door, int>);
static_assert(!std::equality_comparable_with<Door, Window>);
static_assert(!HasArithmetic<Door>);
static_assert(sizeof(Door) == sizeof(std::uint32_t));

TEST(StrongId, is_a_value_that_orders_and_hashes) {
  EXPECT_EQ(Door{3}(), 3u);
  EXPECT_EQ(Door{}, Door{0});
  EXPECT_LT(Door{2}, Door{10});
  EXPECT_EQ(Door{std::size_t{7}}, Door{7});
  EXPECT_EQ((std::unordered_set<Door>{Door{1}, Door{2}, Door{1}}).size(), 2u);
  EXPECT_EQ((std::map<Rank, int>{{Rank{1}, 5}}).at(Rank{1}), 5);
}

}  // namespace
}  // namespace thalweg
