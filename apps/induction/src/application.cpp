// SPDX-License-Identifier: MIT
#include <thalweg/induction/application.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/read_setup.hpp>
#include <thalweg/induction/induction.hpp>
#include <thalweg/io/parameter.hpp>

namespace thalweg::induction {

namespace {

using Scheme = numerics::ConstrainedTransport<Induction>;

app::ProblemSetup<Scheme> read(app::DeckReader<2>& deck) {
  const Vec<2> box = deck.reals("mesh.upper") - deck.reals("mesh.lower");
  const Loop loop{deck.reals("induction.velocity"), deck.reals("loop.centre"), box,
                  deck.real("loop.radius")};
  const double across = std::min(box[0], box[1]);  // of a domain upside down others complain
  if (across > 0 && 2 * loop.radius > across)
    deck.complain(
        fmt::format("loop.radius = {} (the loop must fit into the domain, {} across); try {}",
                    loop.radius, across, 0.3 * across));
  const auto has_field = [least = deck.real("regrid.energy")](const auto&, const auto& u) {
    return u().energy > least;
  };
  using enum field::Place;
  using enum field::Role;
  return {.problem = {.scheme = {{{}, loop.velocity}},
                      .initial = loop,
                      .tag = has_field,
                      .fields = {{.name = "b", .place = faces, .n_ghosts = 2},
                                 {.name = "e", .role = derived, .place = nodes},
                                 {.name = "cell",
                                  .components = {"bx", "by", "energy", "divergence"},
                                  .units = {"field*volume", "field*volume", "field^2*volume",
                                            "field/length*volume"},
                                  .role = derived}}},
          .scheme_name = "induction constrained transport heun"};
}

}  // namespace

app::Application application() {
  using io::real, io::vector, io::Range;
  const std::vector<std::string> sides(3, "periodic");
  return {
      .name = "induction",
      .doc = "A magnetic field on faces that a uniform flow carries, without divergence.",
      .parameters = {vector("induction.velocity", {2, 1, 0}, "velocity", "Velocity of the flow."),
                     vector("loop.centre", {0, 0, 0}, "length", "Centre of the loop of field."),
                     real("loop.radius", 0.3, "length", "Radius of the loop.", Range::above(0)),
                     changeable(
                         real("regrid.energy", 0.16, "field^2",
                              "Refine where the magnetic energy, b^2 / 2, is larger than this.",
                              Range::at_least(0)))},
      .defaults = {{"mesh.dim", std::int64_t{2}},
                   {"boundary.lower", sides},
                   {"boundary.upper", sides},
                   {"time.subcycle", false}},
      .set_up = app::set_up_in<2>(read)};
}

}  // namespace thalweg::induction
