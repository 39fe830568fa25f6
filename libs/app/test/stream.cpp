// SPDX-License-Identifier: MIT
#include "stream.hpp"

#include <cmath>
#include <memory>

#include <thalweg/app/read_setup.hpp>
#include <thalweg/core/error.hpp>

#include "carried.hpp"

namespace thalweg::app::testing {

namespace {

using Cell = numerics::CellContext<2>;

Problem<Carried> spot(DeckReader<2>& reader) {
  const double width = reader.real("problem.width"), height = reader.real("problem.height");
  return {.scheme = {numerics::test::Advection<2>{reader.reals("stream.wind")}},
          .initial =
              [=](const Cell& cell) {
                const double x = (cell.centre[0] - 0.3) / width, y = (cell.centre[1] - 0.4) / width;
                return Carried::State{1.0 + height * std::exp(-x * x - y * y)};
              },
          .tag = [](const auto&, const auto& here) { return here().q > 1.5; },
          .fields = {{.name = "q", .units = {"mass"}}}};
}

Problem<Carried> plane(DeckReader<2>& reader) {
  const double slope = reader.real("problem.slope"), height = reader.real("problem.height");
  const Vec<2> wind = reader.reals("stream.wind");
  if (slope < 0) reader.complain("problem.slope is below 0 (it goes up); turn it round");
  const auto at = [=](const auto& cell) {
    return Carried::State{height + slope * (cell.centre[0] - wind[0] * cell.time)};
  };
  return {.scheme = {numerics::test::Advection<2>{wind}},
          .initial = at,
          .outside = at,
          .fields = {{.name = "q"}}};
}

const DerivedField<2> square{
    .name = "square",
    .unit = "",
    .compute = compute_cells<Carried::State, 2>(
        [](const auto&, const auto& here) { return here().q * here().q; })};

const io::Parameter height{.name = "problem.height", .default_value = 4.0, .doc = "Height of it."};

}  // namespace

Application stream() {
  const std::vector<std::string> sides(3, "problem");
  return {.name = "stream",
          .doc = "What a wind carries.",
          .parameters = {{.name = "stream.wind",
                          .default_value = std::vector<double>{1, 0.5, 0},
                          .unit = "velocity",
                          .length = {1, 3},
                          .doc = "Velocity of the wind."}},
          .problems = {{.name = "spot",
                        .doc = "A dense spot.",
                        .parameters = {height,
                                       {.name = "problem.width",
                                        .default_value = 0.07,
                                        .range = io::Range::above(0),
                                        .doc = "Width of the spot."}}},
                       {.name = "plane",
                        .doc = "A plane.",
                        .parameters = {height,
                                       {.name = "problem.slope",
                                        .default_value = 1.0,
                                        .doc = "Slope of the plane."}},
                        .defaults = {{"boundary.lower", sides}, {"boundary.upper", sides}}}},
          .derived = {"square"},
          .set_up = set_up_in<2>([](DeckReader<2>& reader) {
            ProblemSetup<Carried> setup{
                .problem = reader.string("problem.name") == "spot" ? spot(reader) : plane(reader),
                .scheme_name = "stream, van Leer",
                .inflow_needs = "an amount above 0"};
            setup.problem.derived = {square};
            return setup;
          })};
}

Application other_stream() {
  return {.name = "other",
          .doc = "Another one.",
          .parameters = {{.name = "other.depth", .default_value = 1.0, .doc = "Depth of it."}},
          .problems = {{.name = "spot", .doc = "A spot of its own."}},
          .set_up = [](const io::Deck&) -> std::unique_ptr<AnySetup> {
            throw Error("application 'other' is no more than its name (there is nothing to run)");
          }};
}

const std::vector<Application>& applications() {
  static const std::vector<Application> all{stream(), other_stream()};
  return all;
}

io::Deck deck(std::string_view text, const std::vector<std::string>& overrides) {
  return load_deck(applications(), text, "stream.toml", overrides);
}

io::Deck spot_deck(const std::vector<std::string>& overrides) {
  return deck(R"(
[problem]
name = "spot"
width = 0.07
[mesh]
dim = 2
root_blocks = [4, 3]
block_cells = 8
max_level = 2
[boundary]
lower = ["periodic", "periodic"]
upper = ["periodic", "periodic"]
[time]
end = 10.0
max_steps = 9
)",
              overrides);
}

std::string complaint(std::string_view text, const std::vector<std::string>& overrides) {
  try {
    const auto loaded = deck(text, overrides);
    application_of(applications(), loaded).set_up(loaded);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace thalweg::app::testing
