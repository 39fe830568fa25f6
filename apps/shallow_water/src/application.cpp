// SPDX-License-Identifier: MIT
#include <thalweg/shallow_water/application.hpp>

#include <algorithm>
#include <cmath>

#include <thalweg/app/read_setup.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>
#include <thalweg/shallow_water/problems.hpp>
#include <thalweg/shallow_water/shallow_water.hpp>

namespace thalweg::shallow_water {

namespace {

using Setup = app::ProblemSetup<numerics::RungeKutta<ShallowWater, numerics::PlmVanLeer>>;

Setup setup_of(app::DeckReader<2>& deck, const ShallowWater& water, const auto& initial) {
  // Refine the shore line, and where the surface is steep.
  const auto tag = [=, jump = deck.real("regrid.jump")](const Cell&, const auto& u) {
    const bool is_wet = u().depth() > water.dry;
    return u.any_neighbour([&](const State& other) {
      return (other.depth() > water.dry) != is_wet ||
             (is_wet && std::abs(other.surface - u().surface) > jump);
    });
  };
  // A new cell has the bed as it is there; the water keeps its surface, and dry land stays dry.
  const auto refined = [=](const Cell& cell, const State& u) {
    const double bed = initial({cell.centre, cell.dx}).bed;
    return State{u.depth() <= water.dry ? bed : std::max(u.surface, bed), u.mom, bed};
  };
  return {.problem = {.scheme = {.system = water, .order = 2},
                      .initial = initial,
                      .rate = [=](const Cell& c, const auto& u) { return water.bed_rate(c, u); },
                      .refined = refined,
                      .tag = tag,
                      .fields = {{.name = "water", .components = {"surface", "xmom", "ymom"}},
                                 {.name = "bed", .role = field::Role::kept}}},
          .scheme_name = "shallow water rk2 plm hlle"};
}

Setup read(app::DeckReader<2>& deck) {
  const ShallowWater water{{}, deck.real("shallow_water.gravity")};
  if (deck.string("problem.name") == "lake_at_rest")
    return setup_of(deck, water, LakeAtRest{deck.real("problem.height")});
  if (deck.string("problem.name") == "dam_break")
    return setup_of(deck, water, DamBreak{deck.real("problem.right")});
  return setup_of(deck, water, Thacker{water.g, deck.real("problem.displacement")});
}

}  // namespace

app::Application application() {
  using io::real, io::Range;
  return {
      .name = "shallow_water",
      .doc = "Shallow water over a bed, with wetting and drying.",
      .parameters = {real("shallow_water.gravity", 9.81, "acceleration", "Gravity.",
                          Range::above(0)),
                     changeable(real("regrid.jump", 0.05, "length", "Refine where eta jumps."))},
      .problems = {{"lake_at_rest",
                    "Still water, 1 deep, over a hump around (0, 0), which may be an island.",
                    {real("problem.height", 0.8, "length", "Height of the hump.")}},
                   {"dam_break",
                    "Still water, 1 deep below x = 0, and of another depth above.",
                    {real("problem.right", 0.1, "length", "Depth above x = 0.",
                          Range::at_least(0))}},
                   {"thacker",
                    "A flat surface that turns in a bowl, at rest 0.1 deep and of radius 1.",
                    {real("problem.displacement", 0.3, "length", "Of the centre of the water.")}}},
      .set_up = app::set_up_in<2>(read)};
}

}  // namespace thalweg::shallow_water
