// SPDX-License-Identifier: MIT
// What output.derived names, by number, in a gas that is known cell by cell.
#include "derived_fields.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/mesh/geometry.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::testing {
namespace {

/// A field of the cells of a block in which the gas is given by place; cells are 0.1, 0.2, ...
/// wide.
template <int D, class F>
std::vector<double> field_of(const std::string& name, const hydro::DeckEos& eos, F gas_at) {
  const hydro::Gas<D> gas{eos};
  Vec<D> upper;
  for (int a = 0; a < D; ++a) upper[a] = 0.8 * (a + 1);
  const mesh::Geometry<D> geometry({.upper = upper, .block_cells = 8});
  const Vec<D> dx = geometry.cell_size(0);
  const Box<D> valid = Box<D>::cube(4).shifted(Index<D>::filled(-1));
  std::vector<double> memory(View<double, D>::size_of(valid.grown(1), D + 2));
  const View<double, D> cells(memory.data(), valid.grown(1), D + 2);
  for_each(cells.box(), [&](const Index<D>& i) {
    Vec<D> x;
    for (int a = 0; a < D; ++a) x[a] = dx[a] * i[a];
    numerics::store(gas.to_conserved(gas_at(x)), cells.at(0, i), cells.component_stride());
  });
  std::vector<double> result(View<double, D>::size_of(valid, 1));
  const auto fields = hydro::derived_fields<D>(gas, 0);
  const auto field = std::ranges::find(fields, name, &app::DerivedField<D>::name);
  if (field == fields.end()) throw std::runtime_error("no field " + name);
  field->compute({geometry, 0, 0.0}, cells, valid, View<double, D>(result.data(), valid, 1));
  return result;
}

void expect_everywhere(const std::vector<double>& values, double expected) {
  for (const double value : values) EXPECT_NEAR(value, expected, 1e-12 * std::abs(expected));
}

template <int D>
void expect_pressure_and_mach(double p_infinity) {
  // 1.4 (7 + p_infinity) / 2: the square of the speed of sound.
  const hydro::DeckEos eos{.gamma = 1.4, .p_infinity = p_infinity};
  const auto gas_at = [](const Vec<D>&) {
    hydro::GasPrimitive<D> w{.rho = 2.0, .vel = {}, .p = 7.0};
    for (int a = 0; a < D; ++a) w.vel[a] = a == 1 ? -4.0 : 2.0;
    return w;
  };
  const double speed = std::sqrt(D == 1 ? 4.0 : D == 2 ? 20.0 : 24.0);
  expect_everywhere(field_of<D>("pressure", eos, gas_at), 7.0);
  expect_everywhere(field_of<D>("mach", eos, gas_at), speed / std::sqrt(0.7 * (7.0 + p_infinity)));
}

TEST(DerivedFields, of_pressure_and_mach_number_are_those_of_the_gas) {
  for (const double p_infinity : {0.0, 5.0}) {
    expect_pressure_and_mach<1>(p_infinity);
    expect_pressure_and_mach<2>(p_infinity);
    expect_pressure_and_mach<3>(p_infinity);
  }
}

TEST(DerivedFields, of_heat_and_motion_are_what_their_names_say) {
  const auto gas_at = [](const Vec<2>&) {
    return hydro::GasPrimitive<2>{.rho = 2.0, .vel = {{3.0, -4.0}}, .p = 7.0};
  };
  for (const double p_infinity : {0.0, 5.0}) {
    const hydro::DeckEos eos{.gamma = 1.4, .p_infinity = p_infinity};
    expect_everywhere(field_of<2>("kinetic_energy", eos, gas_at), 25.0);  // 2 (9 + 16) / 2
    expect_everywhere(field_of<2>("y_velocity", eos, gas_at), -4.0);
    // The least pressure is -p_infinity: there the gas has no temperature left.
    expect_everywhere(field_of<2>("temperature", eos, gas_at), (7.0 + p_infinity) / 2.0);
    expect_everywhere(field_of<2>("internal_energy", eos, gas_at),
                      (7.0 + 1.4 * p_infinity) / (0.4 * 2.0));
  }
}

TEST(DerivedFields, of_scalars_are_the_share_of_each_in_the_mass) {
  const mesh::Geometry<1> geometry({.upper = {{1.0}}, .block_cells = 8});
  const std::vector<double> cell{2.0, 0.0, 1.0, 0.5, 1.5};  // density, two more, two scalars
  const View<const double, 1> cells(cell.data(), Box<1>::cube(1), 5);
  const auto fields = hydro::derived_fields<1>(hydro::Gas<1>{hydro::DeckEos{.gamma = 1.4}}, 2);
  for (const auto& [name, share] : {std::pair{"X0", 0.25}, std::pair{"X1", 0.75}}) {
    const auto field = std::ranges::find(fields, name, &app::DerivedField<1>::name);
    ASSERT_NE(field, fields.end());
    double found = 0.0;
    field->compute({geometry, 0, 0.0}, cells, Box<1>::cube(1),
                   View<double, 1>(&found, Box<1>::cube(1), 1));
    EXPECT_EQ(found, share) << name;
  }
}

TEST(DerivedFields, of_vorticity_are_twice_the_turns_of_a_rigid_body) {
  const hydro::DeckEos eos{.gamma = 1.4};
  for (const double turns : {3.0, -3.0}) {
    const auto plane = [=](const Vec<2>& x) {
      return hydro::GasPrimitive<2>{
          .rho = 1.0 + x[0] * x[0], .vel = {{1.0 - turns * x[1], 5.0 + turns * x[0]}}, .p = 1.0};
    };
    expect_everywhere(field_of<2>("vorticity", eos, plane), 2.0 * turns);
  }
  // About each axis alone, and about one that is oblique: 2 |(2, 3, -6)| = 14.
  for (const Vec<3>& turns : {Vec<3>{{3.0, 0.0, 0.0}}, Vec<3>{{0.0, 3.0, 0.0}},
                              Vec<3>{{0.0, 0.0, -3.0}}, Vec<3>{{2.0, 3.0, -6.0}}}) {
    const auto body = [=](const Vec<3>& x) {
      return hydro::GasPrimitive<3>{
          .rho = 2.0,
          .vel = {{turns[1] * x[2] - turns[2] * x[1], turns[2] * x[0] - turns[0] * x[2],
                   turns[0] * x[1] - turns[1] * x[0]}},
          .p = 1.0};
    };
    expect_everywhere(field_of<3>("vorticity", eos, body), 2.0 * std::sqrt(dot(turns, turns)));
  }
  // A shear of all six kinds that turns nothing: v = grad(xy + 2 yz + 3 zx).
  const auto strain = [](const Vec<3>& x) {
    return hydro::GasPrimitive<3>{
        .rho = 2.0,
        .vel = {{x[1] + 3.0 * x[2], x[0] + 2.0 * x[2], 2.0 * x[1] + 3.0 * x[0]}},
        .p = 1.0};
  };
  for (const double value : field_of<3>("vorticity", eos, strain)) EXPECT_LT(value, 1e-13);
}

}  // namespace
}  // namespace thalweg::testing
