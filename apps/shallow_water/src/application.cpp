// SPDX-License-Identifier: MIT
#include <thalweg/shallow_water/application.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/read_setup.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>
#include <thalweg/shallow_water/problems.hpp>
#include <thalweg/shallow_water/shallow_water.hpp>

namespace thalweg::shallow_water {

namespace {

using Setup = app::ProblemSetup<numerics::RungeKutta<ShallowWater, numerics::PlmVanLeer>>;

std::vector<app::DerivedField<2>> derived_fields(const ShallowWater& water) {
  const auto velocity = [&](const char* name, int axis) {
    const auto along = [=](const Cell&, const auto& u) {
      return water.to_primitive(u()).mom[axis];
    };
    return app::DerivedField<2>{.name = name,
                                .unit = "velocity",
                                .group = "velocity",
                                .compute = app::compute_cells<State, 2>(along)};
  };
  const auto depth = [](const Cell&, const auto& u) { return u().depth(); };
  return {{.name = "depth",
           .unit = "length",
           .integral_unit = "length*volume",
           .compute = app::compute_cells<State, 2>(depth)},
          velocity("x_velocity", 0),
          velocity("y_velocity", 1)};
}

Setup setup_of(app::DeckReader<2>& deck, const ShallowWater& water, const auto& initial) {
  // Refine the shore line, and where the surface is steep.
  const auto tag = [=, jump = deck.real("regrid.jump")](const Cell&, const auto& u) {
    const bool is_wet = u().depth() > water.dry;
    return u.any_neighbour([&](const State& other) {
      return (other.depth() > water.dry) != is_wet ||
             (is_wet && std::abs(other.surface - u().surface) > jump);
    });
  };
  const auto refined = [=](const Cell&, const State& u, const State& at_start) {
    return water.over(at_start.bed, u);
  };
  return {.problem = {.scheme = {.system = water, .order = 2},
                      .initial = initial,
                      .rate = [=](const Cell& c, const auto& u) { return water.bed_rate(c, u); },
                      .refined = refined,
                      .tag = tag,
                      .fields = {{.name = "water",
                                  .components = {"surface", "xmom", "ymom"},
                                  .units = {"length*volume", "length*velocity*volume",
                                            "length*velocity*volume"}},
                                 {"bed", {}, {"length*volume"}, field::Role::coefficient}},
                      .derived = derived_fields(water)},
          .scheme_name = "shallow water rk2 plm hlle",
          .inflow_needs = "the height of the surface, two velocities and the height of the bed"};
}

Setup read(app::DeckReader<2>& deck) {
  const ShallowWater water{{}, deck.real("shallow_water.gravity")};
  const auto name = deck.string("problem.name");
  if (name == "lake_at_rest") return setup_of(deck, water, LakeAtRest{deck.real("problem.height")});
  const Vec<2> lower = deck.reals("mesh.lower"), upper = deck.reals("mesh.upper");
  if (name == "dam_break") {
    if (!(lower[0] < 0 && upper[0] > 0))
      deck.complain(
          fmt::format("mesh.lower and mesh.upper are {} and {} along x (the dam is at x = 0: there "
                      "would be one state); let 0 lie between them",
                      lower[0], upper[0]));
    return setup_of(deck, water, DamBreak{deck.real("problem.right")});
  }
  const Thacker bowl{water.g, deck.real("problem.displacement")};
  if (const double reach = bowl.reach();
      reach > std::min({-lower[0], -lower[1], upper[0], upper[1]}))
    deck.complain(fmt::format(
        "problem.displacement = {} (the water comes as far as {} from (0, 0), out of the domain); "
        "lower it, or give sides at -{} and {}, or further out",
        bowl.displacement, reach, reach, reach));
  return setup_of(deck, water, bowl);
}

}  // namespace

app::Application application() {
  using io::real, io::Range;
  return {
      .name = "shallow_water",
      .doc = "Shallow water over a bed, with wetting and drying.",
      .parameters = {real("shallow_water.gravity", 9.81, "acceleration", "Gravity.",
                          Range::above(0)),
                     changeable(real("regrid.jump", 0.05, "length",
                                     "Refine where eta jumps by more.", Range::above(0)))},
      .problems = {{"lake_at_rest",
                    "Still water, 1 deep, over a hump around (0, 0), which may be an island.",
                    {real("problem.height", 0.8, "length", "Height of the hump.")}},
                   {"dam_break",
                    "Still water, 1 deep below x = 0, and of another depth above.",
                    {real("problem.right", 0.1, "length", "Depth at x > 0.", Range::at_least(0))},
                    {{"mesh.lower", std::vector(3, -0.5)}, {"mesh.upper", std::vector(3, 0.5)}}},
                   {"thacker",
                    "A flat surface that turns in a bowl, at rest 0.1 deep and of radius 1.",
                    {real("problem.displacement", 0.3, "length", "Of the centre of the water.")}}},
      .derived = {"depth", "velocity", "x_velocity", "y_velocity"},
      .defaults = {{"mesh.dim", std::int64_t{2}}},
      .set_up = app::set_up_in<2>(read)};
}

}  // namespace thalweg::shallow_water
