// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>
#include <thalweg/hydro/setup.hpp>
#include <thalweg/numerics/system.hpp>

#include "run_deck.hpp"

namespace thalweg::testing {
namespace {

using Gas = hydro::Gas<2>;

/// The cells of the first block of 16^2 that a deck says to refine, that of the vortex for one in
/// the box [0, 10]^2, of a gas that is given cell by cell.
/// @tparam N  the deck's hydro.scalars
template <int N = 0, class F>
std::vector<Index<2>> refined(const std::vector<std::string>& overrides, F gas_at,
                              const std::string& deck = "vortex.toml") {
  auto all = overrides;
  all.push_back("mesh.root_blocks=[1, 1]");
  const auto setup = hydro::set_up<2, N>(shipped_deck(deck, all));
  const auto gas = setup.problem.scheme.system;
  const Box<2> valid = Box<2>::cube(16);
  const Box<2> with_ghosts = valid.grown(1);
  std::vector<double> memory(View<double, 2>::size_of(with_ghosts, gas.n_components));
  const View<double, 2> cells(memory.data(), with_ghosts, gas.n_components);
  for_each(with_ghosts, [&](const Index<2>& i) {
    numerics::store(gas.to_conserved(gas_at(i)), cells.at(0, i), cells.component_stride());
  });
  std::vector<std::uint8_t> tags(256, 0);
  const View<std::uint8_t, 2> view(tags.data(), valid, 1);
  const auto geometry = app::geometry_of<2>(setup.settings.mesh, setup.problem.boundaries);
  const step::SetTags<2>& set_tags = setup.problem.tag;
  set_tags({geometry, 0, 0.0}, cells, valid, view);
  std::vector<Index<2>> result;
  for_each(valid, [&](const Index<2>& i) {
    if (view[0, i] != 0) result.push_back(i);
  });
  return result;
}

std::vector<Index<2>> columns(const std::vector<int>& xs) {
  std::vector<Index<2>> cells;
  for (int y = 0; y < 16; ++y)
    for (const int x : xs) cells.push_back({{x, y}});
  return cells;
}

/// The density is halved at x = 4, the pressure tripled at 8, and a stream of twice the speed of
/// sound there, where it is least, begins at 12; all in a fast stream.
Gas::Primitive three_jumps(const Index<2>& i) {
  return {.rho = i[0] < 4 ? 2.8 : 1.4,
          .vel = {{10.0, i[0] < 12 ? -7.0 : -7.0 + 2.0 * std::sqrt(3.0)}},
          .p = i[0] < 8 ? 1.0 : 3.0};
}

TEST(Criteria, are_jumps_of_density_pressure_or_velocity_if_nothing_is_said) {
  // Kelvin and Helmholtz's deck names none.
  const std::string deck = "kelvin_helmholtz.toml";
  EXPECT_EQ(refined({"regrid.threshold=0.3"}, three_jumps, deck), columns({3, 4, 7, 8, 11, 12}));
  EXPECT_EQ(refined({"regrid.threshold=0.7"}, three_jumps, deck), columns({7, 8, 11, 12}));
  EXPECT_EQ(refined({"regrid.threshold=0.7", "regrid.velocity=1.01"}, three_jumps, deck),
            columns({7, 8}));
}

TEST(Criteria, of_density_and_pressure_share_a_threshold) {
  EXPECT_EQ(refined({"regrid.threshold=0.3"}, three_jumps), columns({3, 4, 7, 8}));
  EXPECT_EQ(refined({"regrid.threshold=0.7"}, three_jumps), columns({7, 8}));
}

TEST(Criteria, have_a_threshold_each) {
  const std::string density = "regrid.criteria=[\"density\"]";
  EXPECT_EQ(refined({density, "regrid.threshold=0.3"}, three_jumps), columns({3, 4}));
  EXPECT_EQ(refined({density, "regrid.density=0.51"}, three_jumps), columns({}));
  const std::string pressure = "regrid.criteria=[\"pressure\"]";
  EXPECT_EQ(refined({pressure, "regrid.pressure=0.99"}, three_jumps), columns({7, 8}));
  EXPECT_EQ(refined({pressure, "regrid.pressure=1.01"}, three_jumps), columns({}));
  const std::string velocity = "regrid.criteria=[\"velocity\"]";
  EXPECT_EQ(refined({velocity, "regrid.velocity=0.99"}, three_jumps), columns({11, 12}));
  EXPECT_EQ(refined({velocity, "regrid.velocity=1.01"}, three_jumps), columns({}));
}

TEST(Criteria, are_all_asked) {
  EXPECT_EQ(refined({"regrid.criteria=[\"velocity\", \"density\", \"box\"]",
                     "regrid.box_lower=[0, 0]", "regrid.box_upper=[0.7, 10]"},
                    three_jumps),
            columns({0, 3, 4, 11, 12}));
  EXPECT_EQ(refined({"regrid.criteria=[]"}, three_jumps), columns({}));
}

TEST(Criteria, of_a_box_thinner_than_a_cell_are_one_cell_and_at_a_face_two) {
  const auto in_box = [](const std::string& lower, const std::string& upper) {
    return refined({"regrid.criteria=[\"box\"]", "regrid.box_lower=[" + lower + ", 0]",
                    "regrid.box_upper=[" + upper + ", 10]"},
                   three_jumps);
  };
  EXPECT_EQ(in_box("3.2", "3.3"), columns({5}));  // cells are 0.625 wide
  EXPECT_EQ(in_box("3.6", "3.7"), columns({5}));
  EXPECT_EQ(in_box("3.7", "3.8"), columns({5, 6}));
  EXPECT_EQ(in_box("-5", "0.1"), columns({0}));
  EXPECT_EQ(in_box("9.9", "50"), columns({15}));
  EXPECT_EQ(in_box("3.2", "4.4"), columns({5, 6}));  // a wider one: centres alone
}

TEST(Criteria, by_Loehner_are_of_the_quantities_that_are_named) {
  const std::string loehner = "regrid.criteria=[\"loehner\"]";
  const std::string strict = "regrid.loehner=0.8";
  EXPECT_EQ(refined({loehner, strict}, three_jumps), columns({3, 4}));
  EXPECT_EQ(
      refined({loehner, strict, "regrid.loehner_of=[\"pressure\", \"density\"]"}, three_jumps),
      columns({3, 4, 7, 8}));
  EXPECT_EQ(refined({loehner, strict, "regrid.loehner_of=[\"velocity\"]"}, three_jumps),
            columns({11, 12}));
  // At most 0.894 less the filter, which at 1 hides a factor of two.
  EXPECT_EQ(refined({loehner, "regrid.loehner=0.9"}, three_jumps), columns({}));
  EXPECT_EQ(refined({loehner, strict, "regrid.loehner_filter=1.0"}, three_jumps), columns({}));
}

/// The cells of the same block that a deck with one scalar says to refine: gas alike everywhere,
/// and a share of 0.1, from x = 6 on 0.6.
std::vector<Index<2>> refined_by_dye(std::vector<std::string> overrides) {
  overrides.emplace_back("hydro.scalars=1");
  return refined<1>(
      overrides,
      [](const Index<2>& i) {
        return hydro::ScalarGas<2, 1>::Primitive{{.rho = 2.0, .vel = {}, .p = 1.0},
                                                 {{i[0] < 6 ? 0.1 : 0.6}}};
      },
      "kelvin_helmholtz.toml");
}

TEST(Criteria, of_scalars_look_at_their_shares) {
  const std::string jumps = "regrid.criteria=[\"scalars\"]";
  EXPECT_EQ(refined_by_dye({jumps, "regrid.scalars=0.24"}), columns({5, 6}));
  EXPECT_EQ(refined_by_dye({jumps, "regrid.scalars=0.26"}), columns({}));
  const std::string loehner = "regrid.criteria=[\"loehner\"]";
  EXPECT_EQ(refined_by_dye({loehner, "regrid.loehner_of=[\"scalars\"]", "regrid.loehner=0.85"}),
            columns({5, 6}));
  EXPECT_EQ(refined_by_dye({loehner}), columns({}));
}

TEST(Criteria, of_the_problem_are_its_function_of_each_cell) {
  // Of a vortex: where the speed, in the stream of (1, 1), is above 0.1.
  const auto turning = [](const Index<2>& i) {
    return Gas::Primitive{.rho = 1.0, .vel = {{1.0, i[1] == 5 ? 1.11 : 1.09}}, .p = 1.0};
  };
  std::vector<Index<2>> row;
  for (int x = 0; x < 16; ++x) row.push_back({{x, 5}});
  EXPECT_EQ(refined({"regrid.criteria=[\"problem\"]"}, turning), row);
}

TEST(Criteria, of_a_problem_that_has_none_are_refused) {
  try {
    app::check(application(),
               shipped_deck("sod.toml", {"regrid.criteria=[\"density\", \"problem\"]"}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "regrid.criteria has \"problem\" ('sod' does not say where to refine); leave it "
                 "out");
  }
}

}  // namespace
}  // namespace thalweg::testing
