// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/problem.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/hydro/setup.hpp>

#include "criteria.hpp"
#include "derived_fields.hpp"

namespace thalweg::hydro {

namespace {

template <int D, int N>
using StateOf = typename GasSystem<D, N>::State;

/// The size of a cell of level 0.
template <int D>
Vec<D> coarsest_cell(app::DeckReader<D>& reader, const Vec<D>& domain) {
  const Index<D> blocks = reader.integers("mesh.root_blocks");
  const Index<D> cells = reader.one_or_each("mesh.block_cells");
  Vec<D> size;
  for (int a = 0; a < D; ++a) size[a] = domain[a] / (1.0 * blocks[a] * cells[a]);
  return size;
}

/// The problem of a deck.
/// @errors Error where there is none in D dimensions, or lists of the mesh have other lengths: that
/// alone, as much else would be wrong for no other reason
template <int D>
ProblemFile problem_of(app::DeckReader<D>& reader) {
  const auto& name = reader.string("problem.name");
  auto file = problem_files().at(name);
  if (!file.template in_dimensions<D>()) {
    std::vector<int> dimensions;
    if (file.template in_dimensions<1>()) dimensions.push_back(1);
    if (file.template in_dimensions<2>()) dimensions.push_back(2);
    if (file.template in_dimensions<3>()) dimensions.push_back(3);
    throw Error(
        fmt::format("problem.name = \"{}\" (there is none with mesh.dim = {}); choose another "
                    "problem or another dimension: {}",
                    name, D, joined_text(dimensions, " or ")));
  }
  for (const auto key : {"mesh.lower", "mesh.upper", "source.gravity"}) (void)reader.reals(key);
  for (const auto key : {"boundary.lower", "boundary.upper"}) (void)reader.strings(key);
  (void)reader.integers("mesh.root_blocks");
  (void)reader.one_or_each("mesh.block_cells");
  reader.throw_if_wrong();
  return file;
}

template <int D>
GasProblem<D> read_problem(app::DeckReader<D>& reader, const Gas<D>& gas) {
  const auto file = problem_of<D>(reader);
  const Vec<D> lower = reader.reals("mesh.lower");
  const Vec<D> upper = reader.reals("mesh.upper");
  ProblemReader<D> read{.gas = gas,
                        .gravity = reader.reals("source.gravity"),
                        .lower = lower,
                        .upper = upper,
                        .period = reader.periods(),
                        .coarsest_cell = coarsest_cell(reader, upper - lower),
                        .deck = reader};
  return file.template in_dimensions<D>()(read);
}

/// The initial state of the gas, and behind it the masses of the scalars: 0 where the problem does
/// not say where they are.
template <int D, int N>
step::InitialState<StateOf<D, N>, D> initial_of(const GasProblem<D>& problem) {
  if constexpr (N == 0)
    return problem.initial;
  else
    return step::SetCells<D>(
        [gas = step::SetCells<D>(problem.initial),
         scalars = problem.scalars ? problem.scalars : [](int, const Cell<D>&) { return 0.0; }](
            const step::LevelContext<D>& level, const View<double, D>& cells,
            const Box<D>& region) {
          gas(level, cells, region);
          scalars(level, cells, region, N);
        });
}

/// The gas, and behind it the masses of the scalars.
template <int D>
std::vector<field::Field> fields(int n_scalars) {
  field::Field gas{.name = "gas"};
  for (const auto name : Euler<D>::component_names()) {
    gas.components.emplace_back(name);
    gas.units.emplace_back(name.ends_with("mom") ? "momentum" : "mass");
  }
  gas.units.back() = "energy";
  std::vector<field::Field> all{std::move(gas)};
  for (int k = 0; k < n_scalars; ++k)
    all.push_back({.name = fmt::format("rho_X{}", k), .units = {"mass"}});
  return all;
}

/// What a problem says of the gas in cells outside, with the scalars of their mirror images.
template <int D, int N>
exchange::SetOutside<D> outside_of(const GasProblem<D>& problem) {
  const exchange::SetOutside<D> of_gas = problem.outside;
  if (N == 0 || !of_gas) return of_gas;
  return
      [of_gas](const auto& geometry, int level, double time, const numerics::BoundaryRow<D>& row) {
        of_gas(geometry, level, time, row);
        for (int k = 0; k < N; ++k)
          for (int i = 0; i < row.n; ++i) {
            const auto scalar = (Gas<D>::n_components + k) * row.component_stride;
            const double* const inside = row.inside + i * row.inside_step;
            row.outside[i + scalar] = row.outside[i] * (inside[scalar] / inside[0]);
          }
      };
}

/// What does not go together with hydro.balanced.
template <int D>
std::vector<std::string> balance_errors(const io::Deck& deck, const GasProblem<D>& problem) {
  std::vector<std::string> errors;
  if (!deck.boolean("hydro.balanced")) return errors;
  if (const auto& solver = deck.string("hydro.riemann"); solver == "hlle" || solver == "llf")
    errors.push_back(
        fmt::format("hydro.riemann = '{}' (with hydro.balanced = true gas at rest is to stay so, "
                    "and it mixes the densities of gas at rest); give 'hllc', 'lhllc', 'roe' or "
                    "'exact', or set hydro.balanced to false",
                    solver));
  for (const std::string key : {"boundary.lower", "boundary.upper"})
    if (std::ranges::count(deck.strings(key), "inflow") > 0)
      errors.push_back(fmt::format(
          "{} has \"inflow\" (with hydro.balanced gravity would act on what is given there); set "
          "hydro.balanced to false, or take another side",
          key));
  const Vec<D> gravity = balanced_gravity<D>(deck);
  for (int a = 0; a < D; ++a)
    if (gravity[a] != 0 &&
        deck.strings("boundary.lower")[static_cast<std::size_t>(a)] == "periodic")
      errors.push_back(fmt::format(
          "boundary.lower of {} is \"periodic\" (with hydro.balanced, and source.gravity along {}: "
          "nothing holds gas at rest there); set hydro.balanced to false, or take another side",
          axis_name(a), axis_name(a)));
  if (problem.rate || problem.outside_is_fixed)
    errors.push_back(fmt::format(
        "hydro.balanced = true ('{}' has {}); set it to false", deck.string("problem.name"),
        problem.rate ? "a source of its own, which the pressure is not balanced with"
                     : "states outside that are held, on which gravity would act"));
  return errors;
}

std::string inflow_needs(int dim, int n_scalars, double least_pressure) {
  const std::string scalars =
      n_scalars == 0   ? ""
      : n_scalars == 1 ? ", then the mass fraction of a scalar"
                       : fmt::format(", then the mass fractions of {} scalars", n_scalars);
  return fmt::format("a density above 0, {} and a pressure above {}{}",
                     dim == 1 ? "a velocity" : fmt::format("{} velocities", dim), least_pressure,
                     scalars);
}

/// Whether output.derived names a field, or a group of them.
bool asks_for(const io::Deck& deck, std::string_view field) {
  return std::ranges::count(deck.strings("output.derived"), field) > 0;
}

/// What output.derived names that there is not in so few dimensions.
std::vector<std::string> derived_errors(const io::Deck& deck, int dim) {
  std::vector<std::string> errors;
  if (dim == 1 && asks_for(deck, "vorticity"))
    errors.emplace_back(
        "output.derived has \"vorticity\" (there is none along a line, and mesh.dim = 1); leave it "
        "out");
  for (int a = dim; a < 3; ++a)
    if (const auto name = fmt::format("{}_velocity", axis_name(a)); asks_for(deck, name))
      errors.push_back(fmt::format(
          "output.derived has \"{}\" (there is none, as mesh.dim = {}); leave it out", name, dim));
  return errors;
}

/// What a deck asks of scalars though its gas carries none.
std::vector<std::string> no_scalar_errors(const io::Deck& deck) {
  std::vector<std::string> errors;
  if (deck.boolean("hydro.bounded_scalars"))
    errors.emplace_back(
        "hydro.bounded_scalars = true (the gas carries none: hydro.scalars = 0); leave it out");
  if (asks_for(deck, "scalars"))
    errors.emplace_back(
        "output.derived has \"scalars\" (the gas carries none: hydro.scalars = 0); leave it out");
  return errors;
}

/// What an inflow brings that hydro.bounded_scalars is to keep out.
template <int D, int N>
std::vector<std::string> scalar_errors(const io::Deck& deck) {
  std::vector<std::string> errors;
  if (!deck.boolean("hydro.bounded_scalars")) return errors;
  for (const auto key : app::inflow_keys) {
    const auto& values = deck.reals(key);
    if (values.size() != std::size_t{D + 2 + N}) continue;  // said elsewhere, or no inflow
    for (int k = 0; k < N; ++k)
      if (const double x = values[static_cast<std::size_t>(D + 2 + k)]; !(x >= 0 && x <= 1))
        errors.push_back(fmt::format(
            "{} = [{}] (the mass fraction of scalar {} is {}, and with "
            "hydro.bounded_scalars it is to stay within 0 and 1); give one that does, or set "
            "hydro.bounded_scalars to false",
            key, joined_text(values), k, x));
  }
  return errors;
}

}  // namespace

template <int D, int N>
Setup<D, N> set_up(const io::Deck& deck) {
  app::DeckReader<D> reader(deck);
  const Gas<D> gas{eos_of(deck)};
  const auto problem = read_problem<D>(reader, gas);
  const auto complain = [&reader](std::vector<std::string> errors) {
    for (auto& error : errors) reader.complain(std::move(error));
  };
  complain(scheme_errors(deck));
  complain(balance_errors(deck, problem));
  complain(scalar_errors<D, N>(deck));
  complain(derived_errors(deck, D));
  if (N == 0) complain(no_scalar_errors(deck));
  const Gravity<D> gravity{reader.reals("source.gravity")};
  app::ProblemSetup<GasScheme<D, N>> from{
      .problem = {.scheme = gas_scheme<D, N>(deck),
                  .initial = initial_of<D, N>(problem),
                  .outside = outside_of<D, N>(problem),
                  .longest_dt = step::FindLongestDt<D>(problem.longest_dt),
                  .tag = read_criteria(reader, gas, problem),
                  .fields = fields<D>(N),
                  .derived = derived_fields<D>(gas, N)},
      .scheme_name = scheme_name(deck),
      .inflow_needs = inflow_needs(D, N, gas.eos.least_pressure()),
      .outside_is_fixed = problem.outside_is_fixed,
      .outside_is_optional = problem.outside_is_optional};
  auto setup = app::read_setup(reader, std::move(from));
  if (problem.rate)
    setup.problem.source = problem.rate.with(
        gravity, app::geometry_of<D>(setup.settings.mesh, setup.problem.boundaries));
  else if (gravity.acceleration != Vec<D>{} && !deck.boolean("hydro.balanced"))
    setup.problem.source = source_of(gravity);
  if (deck.boolean("hydro.balanced") && gravity.acceleration == Vec<D>{})
    setup.warnings.emplace_back("hydro.balanced = true has no effect: source.gravity is 0");
  return setup;
}

#define THALWEG_INSTANTIATE(D)                        \
  template Setup<D, 0> set_up<D, 0>(const io::Deck&); \
  template Setup<D, 1> set_up<D, 1>(const io::Deck&); \
  template Setup<D, 2> set_up<D, 2>(const io::Deck&)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::hydro
