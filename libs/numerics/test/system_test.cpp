// SPDX-License-Identifier: MIT
#include <thalweg/numerics/system.hpp>

#include <array>

#include <gtest/gtest.h>

#include <thalweg/core/vec.hpp>

namespace thalweg::numerics {
namespace {

struct Pair {
  double first;
  Vec<2> rest;
};

TEST(State, is_stored_component_by_component) {
  std::array<double, 6> memory{};

  store(Pair{1.0, {{2.0, 3.0}}}, memory.data() + 1, 2);

  EXPECT_EQ(memory, (std::array<double, 6>{0, 1, 0, 2, 0, 3}));
}

TEST(State, load_is_the_inverse_of_store) {
  const std::array<double, 6> memory{0, 1, 0, 2, 0, 3};

  const Pair u = load<Pair>(memory.data() + 1, 2);

  EXPECT_EQ(u.first, 1.0);
  EXPECT_EQ(u.rest, (Vec<2>{{2.0, 3.0}}));
}

TEST(State, components_are_mapped_in_step) {
  const Pair a{1.0, {{2.0, 3.0}}};
  const Pair b{10.0, {{20.0, 30.0}}};

  const Pair difference = map_components([](double x, double y) { return y - x; }, a, b);

  EXPECT_EQ(difference.first, 9.0);
  EXPECT_EQ(difference.rest, (Vec<2>{{18.0, 27.0}}));
}

}  // namespace
}  // namespace thalweg::numerics
