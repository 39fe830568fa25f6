// SPDX-License-Identifier: MIT
#include <thalweg/field/fields.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "../../../tests/support/text.hpp"

namespace thalweg::field {
namespace {

using Names = std::vector<std::string>;

const std::vector<Field> list{
    {.name = "b", .place = Place::faces, .n_ghosts = 2},
    {.name = "water", .components = {"surface", "xmom"}, .units = {"volume"}},
    {.name = "e", .role = Role::derived, .place = Place::nodes},
    {.name = "bed", .role = Role::coefficient}};

TEST(Fields, in_cells_are_one_list_of_components) {
  const auto components = cell_components(list);
  EXPECT_EQ(components.names, (Names{"surface", "xmom", "bed"}));
  EXPECT_EQ(components.units, (Names{"volume", "", ""}));
  EXPECT_EQ(components.n_coefficients, 1);
  EXPECT_TRUE(cell_components({}).names.empty());
}

TEST(Fields, on_faces_take_an_array_an_axis_and_at_nodes_one) {
  const auto arrays = point_arrays(list, 3);
  ASSERT_EQ(arrays.size(), 4u);
  for (int a = 0; a < 3; ++a) {
    const auto& array = arrays[static_cast<std::size_t>(a)];
    EXPECT_EQ(array, (PointArray{Place::faces, a, 2, false}));
    EXPECT_EQ(array.centring<3>(), Centring<3>::face(a));
  }
  EXPECT_EQ(arrays[3], (PointArray{Place::nodes, 0, 0, true}));
  EXPECT_EQ(arrays[3].centring<3>(), Centring<3>::node());
}

TEST(CheckFields, names_what_would_have_no_effect_and_units_that_no_table_can_have) {
  using thalweg::testing::expect_parts;
  const auto complaint_of = [](const std::vector<Field>& fields) {
    return thalweg::testing::error_of([&] { check_fields(fields); });
  };
  EXPECT_EQ(complaint_of(list), "");
  EXPECT_EQ(complaint_of({{.name = "u", .units = {"\u03bcm^2*volume"}}}), "");
  expect_parts(complaint_of({{.name = "u", .units = {"a", "b", "c"}},
                             {.name = "w", .components = {"x", "y"}, .units = {"a", "b", "c"}}}),
               {"'u' has 3 units for 1 component", "'w' has 3 units for 2 components"});
  expect_parts(complaint_of({{.name = "u", .n_ghosts = -3}}), {"'u' has n_ghosts = -3"});
  for (const Field& f : {Field{.name = "b", .components = {"x"}, .place = Place::faces},
                         Field{.name = "b", .units = {"x"}, .place = Place::nodes}})
    expect_parts(complaint_of({f}), {"'b' has components or units"});
  expect_parts(complaint_of({{.name = "bed", .role = Role::coefficient}, {.name = "h"}}),
               {"'h' comes behind the coefficient 'bed'"});
  for (const char* unit : {"kg,m", "\"m\"", "x\ny"})
    expect_parts(complaint_of({{.name = "u", .units = {unit}}}), {"'u' has the unit", unit});
}

}  // namespace
}  // namespace thalweg::field
