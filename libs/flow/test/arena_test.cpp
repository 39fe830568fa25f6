// SPDX-License-Identifier: MIT
#include <thalweg/flow/detail/arena.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>

namespace thalweg::flow::detail {
namespace {

TEST(Arena, objects_are_aligned_and_stay_where_they_are) {
  struct alignas(64) Line {
    double value;
  };
  const auto is_aligned = [](auto* place) {
    return reinterpret_cast<std::uintptr_t>(place) % alignof(decltype(*place)) == 0;
  };
  Arena arena;
  std::vector<std::pair<double*, double>> made;
  for (int i = 0; i < 50'000; ++i) {
    arena.make(static_cast<char>(i));
    made.emplace_back(arena.make(0.5 * i), 0.5 * i);
    ASSERT_TRUE(is_aligned(arena.make_array<Line>(1).data()));
  }

  const Arena moved = std::move(arena);

  for (const auto& [place, value] : made) {
    ASSERT_TRUE(is_aligned(place));
    ASSERT_EQ(*place, value);
  }
}

TEST(Arena, objects_larger_than_a_piece_fit) {
  Arena arena;
  std::array<char, 200'000> big{};
  big.back() = 'x';

  EXPECT_EQ(arena.make(big)->back(), 'x');
}

TEST(Arena, destroys_each_object_once) {
  const auto shared = std::make_shared<int>(1);
  {
    Arena arena;
    for (int i = 0; i < 10; ++i) arena.make(shared);
    EXPECT_EQ(shared.use_count(), 11);
    Arena other = std::move(arena);
    EXPECT_EQ(shared.use_count(), 11);
    other = Arena();
    EXPECT_EQ(shared.use_count(), 1);
  }
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(Arena, uses_its_memory_again_when_cleared) {
  Arena arena;
  const auto shared = std::make_shared<int>(1);
  std::array<char, 100'000> big{};
  const void* first = arena.make(big);
  arena.make(shared);

  arena.clear();

  EXPECT_EQ(shared.use_count(), 1);
  EXPECT_EQ(arena.make(big), first);
  for (int i = 0; i < 10; ++i) arena.make(big)->back() = 'x';  // more than there was
  EXPECT_EQ(arena.make_array<int>(5).size(), 5u);
}

}  // namespace
}  // namespace thalweg::flow::detail
