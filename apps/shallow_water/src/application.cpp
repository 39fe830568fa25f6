// SPDX-License-Identifier: MIT
#include <thalweg/shallow_water/application.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <thalweg/app/read_setup.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>
#include <thalweg/shallow_water/problems.hpp>
#include <thalweg/shallow_water/shallow_water.hpp>

namespace thalweg::shallow_water {

namespace {

using Scheme = numerics::RungeKutta<ShallowWater, numerics::PlmVanLeer>;
using Setup = app::ProblemSetup<Scheme>;

template <class Initial>
Setup problem_of(app::DeckReader<2>& deck, const ShallowWater& equations, const Initial& initial) {
  // Refine the shore line, and where the surface is steep.
  const auto tag = [=, jump = deck.real("regrid.jump")](const Cell&, const auto& u) {
    const bool is_wet = u().depth() > equations.dry;
    bool is_tagged = false;
    for (int a = 0; a < 2; ++a)
      for (const int side : {-1, 1}) {
        const bool is_other_wet = u(a, side).depth() > equations.dry;
        is_tagged |= is_other_wet != is_wet;
        is_tagged |= is_wet && is_other_wet && std::abs(u(a, side).surface - u().surface) > jump;
      }
    return is_tagged;
  };
  // A new cell has the bed as it is there; the water keeps its surface, and dry land stays dry.
  const auto refined = [=](const Cell& cell, const State& u) {
    const State there = initial(Cell{cell.centre, cell.dx, cell.level, 0});
    const bool is_dry = u.depth() <= equations.dry;
    return State{std::max(is_dry ? there.bed : u.surface, there.bed), u.mom, there.bed};
  };
  return {.problem = {.scheme = {.system = equations, .order = 2},
                      .initial = initial,
                      .outside = {},
                      .rate = [=](const Cell& cell,
                                  const auto& u) { return equations.bed_rate(cell, u); },
                      .refined = refined,
                      .tag = tag,
                      .component_names = {"surface", "xmom", "ymom", "bed"}},
          .scheme_name = "shallow water rk2 plm hlle"};
}

Setup read(app::DeckReader<2>& deck) {
  ShallowWater equations;
  equations.g = deck.real("shallow_water.gravity");
  const auto& name = deck.string("problem.name");
  const auto real = [&](const char* key) { return deck.real(key); };
  if (name == "lake_at_rest")
    return problem_of(deck, equations,
                      LakeAtRest{deck.reals("problem.centre"), real("problem.height"),
                                 real("problem.radius")});
  if (name == "dam_break")
    return problem_of(deck, equations, DamBreak{real("problem.left"), real("problem.right")});
  return problem_of(deck, equations,
                    Thacker{equations.g, real("problem.depth"), real("problem.radius"),
                            real("problem.displacement")});
}

}  // namespace

app::Application application() {
  const auto length = [](std::string name, double by_default, std::string doc) {
    return io::real(std::move(name), by_default, "length", std::move(doc));
  };
  return {.name = "shallow_water",
          .doc = "Shallow water over a bed, with wetting and drying.",
          .parameters = {io::real("shallow_water.gravity", 9.81, "acceleration", "Gravity.",
                                  io::Range::above(0)),
                         length("regrid.jump", 0.05,
                                "Change of the surface from cell to cell, above which to refine.")},
          .problems = {{"lake_at_rest",
                        "Still water over a hump.",
                        {io::vector("problem.centre", {0, 0}, "length", "Centre of the hump."),
                         length("problem.height", 0.8,
                                "Height of the hump; the water is 1 deep, so more is an island."),
                         length("problem.radius", 0.2, "Where the hump has 1/e of its height.")}},
                       {"dam_break",
                        "Two depths of still water that meet at x = 0.",
                        {length("problem.left", 1.0, "Depth below x = 0."),
                         length("problem.right", 0.1, "Depth above x = 0; 0: a dry bed.")}},
                       {"thacker",
                        "A flat surface that turns in a parabolic bowl: an exact solution.",
                        {length("problem.depth", 0.1, "Depth in the middle at rest."),
                         length("problem.radius", 1.0, "Radius of the shore line at rest."),
                         length("problem.displacement", 0.3,
                                "Distance of the water's centre from that of the bowl.")}}},
          .set_up = app::set_up_in<2>(read)};
}

}  // namespace thalweg::shallow_water
