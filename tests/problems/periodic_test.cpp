// SPDX-License-Identifier: MIT
// What a problem puts beside a periodic side goes on behind the opposite one.
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../support/dimensions.hpp"
#include "../support/leaves.hpp"
#include "run_deck.hpp"

namespace thalweg::testing {
namespace {

/// The components of the initial states, by place once all is moved around the domain.
template <int D, int N>
std::map<std::vector<double>, std::vector<double>> initial_states(
    const std::string& name, std::vector<std::string> overrides, double centre, const Vec<D>& width,
    double by) {
  overrides.push_back("mesh.max_level=0");
  overrides.push_back("problem.centre=" + repeated(D, fmt::format("{:.2f}", centre)));
  std::map<std::vector<double>, std::vector<double>> states;
  const auto done = simulate<D, N>(shipped_deck(name, overrides), {}, [&](const auto& simulation) {
    for_each_leaf(simulation, [&](const auto& x, double, const auto& u) {
      std::vector<double> place;
      for (int a = 0; a < D; ++a) place.push_back(std::fmod(x[a] + by, width[a]));
      for (std::size_t c = 0; c < D + 2 + N; ++c)
        states[place].push_back(numerics::component(u, c));
    });
  });
  EXPECT_TRUE(done) << done.error().message;
  return states;
}

/// A centre on a corner of a box gives what the middle gives, half a box further.
template <int D, int N = 0>
void expect_to_wrap(const std::string& name, const std::vector<std::string>& overrides,
                    const Vec<D>& width, double box = 1) {
  const auto expected = initial_states<D, N>(name, overrides, 0.5 * box, width, 0.5 * box);
  const auto states = initial_states<D, N>(name, overrides, 0, width, 0);
  ASSERT_GT(expected.size(), 0u);
  ASSERT_EQ(states.size(), expected.size());
  for (const auto& [place, state] : expected) {
    ASSERT_TRUE(states.contains(place)) << name;
    for (std::size_t c = 0; c < state.size(); ++c)
      ASSERT_NEAR(states.at(place)[c], state[c], 1e-12 * (1 + std::abs(state[c])))
          << name << ", component " << c;
  }
}

TEST(PeriodicSides, repeat_what_is_beside_them) {
  const std::vector<std::string> few{"mesh.root_blocks=[2, 2, 2]"};
  expect_to_wrap<3>("blast.toml", few, Vec<3>::filled(1));
  expect_to_wrap<3, 1>("blast.toml", {few[0], "hydro.scalars=1"}, Vec<3>::filled(1));
  expect_to_wrap<3>("explosion.toml", {}, Vec<3>::filled(1));
  expect_to_wrap<3>("sedov.toml",
                    {"mesh.upper=[1, 1, 1]", "boundary.lower=" + repeated(3, "\"periodic\""),
                     "boundary.upper=" + repeated(3, "\"periodic\"")},
                    Vec<3>::filled(1));
  expect_to_wrap<2>("gresho.toml", {}, Vec<2>::filled(1));
  expect_to_wrap<2>("vortex.toml", {}, Vec<2>::filled(10), 10);
}

TEST(PeriodicSides, repeat_explosions_in_each_of_their_boxes) {
  expect_to_wrap<3>(
      "explosion.toml",
      {"mesh.upper=[2, 1, 1]", "mesh.root_blocks=[2, 1, 1]", "problem.replication=[2, 1, 1]"},
      Vec<3>{{2, 1, 1}});
}

}  // namespace
}  // namespace thalweg::testing
