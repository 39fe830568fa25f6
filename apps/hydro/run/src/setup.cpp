// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/hydro/setup.hpp>
#include <thalweg/mesh/geometry.hpp>

#include "criteria.hpp"
#include "gas_source.hpp"

namespace thalweg::hydro {

namespace {

constexpr std::array<std::string_view, 3> axis_names{"x", "y", "z"};

template <int D, int N>
using StateOf = typename GasSystem<D, N>::State;

/// A gas and the shares x(k) of the scalars in its mass.
template <int D, int N, class Shares>
StateOf<D, N> with_scalars(const GasState<D>& gas, const Shares& x) {
  if constexpr (N == 0) {
    return gas;
  } else {
    StateOf<D, N> u{gas, {}};
    for (int k = 0; k < N; ++k) u.rho_x[k] = gas.rho * x(k);
    return u;
  }
}

/// What a deck says of the sides of a domain.
template <int D, int N>
struct Sides {
  numerics::Boundaries<D> kinds;
  std::array<std::optional<StateOf<D, N>>, 2 * D> inflow;  ///< else the problem says it
};

/// The state of an inflow: density, velocities, pressure, scalars.
template <int D, int N>
StateOf<D, N> read_inflow(DeckReader<D>& reader, std::string_view key, const Gas<D>& gas) {
  const auto& values = reader.deck().reals(key);
  const double least = gas.eos.least_pressure();
  if (values.size() != D + 2 + N || !(values.front() > 0) || !(values[D + 1] > least)) {
    const std::string scalars = N == 0 ? "" : fmt::format(", then the shares of {} scalars", N);
    reader.complain(
        fmt::format("{} = [{}] (an inflow there needs a density above 0, {} velocities and a "
                    "pressure above {}{}); give {} numbers",
                    key, fmt::join(values, ", "), D, least, scalars, D + 2 + N));
    return with_scalars<D, N>(gas.to_conserved({.rho = 1, .vel = {}, .p = 1}),
                              [](int) { return 0.0; });
  }
  GasPrimitive<D> w{.rho = values.front(), .vel = {}, .p = values[D + 1]};
  for (int a = 0; a < D; ++a) w.vel[a] = values[static_cast<std::size_t>(a) + 1];
  return with_scalars<D, N>(gas.to_conserved(w),
                            [&](int k) { return values[static_cast<std::size_t>(D + 2 + k)]; });
}

template <int D, int N>
Sides<D, N> read_sides(DeckReader<D>& reader, const Gas<D>& gas, const GasProblem<D>& problem) {
  Sides<D, N> sides{};
  for (const std::size_t side : {0u, 1u}) {
    const std::string_view name = side == 0 ? "boundary.lower" : "boundary.upper";
    const auto kinds = reader.strings(name);
    for (std::size_t a = 0; a < kinds.size(); ++a) {
      const std::size_t face = 2 * a + side;
      const auto& kind = kinds[a];
      sides.kinds[face] = kind == "periodic"     ? numerics::Boundary::periodic
                          : kind == "outflow"    ? numerics::Boundary::outflow
                          : kind == "reflecting" ? numerics::Boundary::reflecting
                          : kind == "inflow" || problem.outside_is_held ? numerics::Boundary::held
                                                                        : numerics::Boundary::given;
      if (kind == "inflow") sides.inflow[face] = read_inflow<D, N>(reader, inflow_names[face], gas);
      if (kind == "problem" && !problem.outside)
        reader.complain(fmt::format(
            "{} of {} is \"problem\" ('{}' does not say what lies there); choose another kind",
            name, axis_names[a], reader.string("problem.name")));
    }
  }
  for (std::size_t face = 0; face < inflow_names.size(); ++face)
    if (!reader.deck().reals(inflow_names[face]).empty() &&
        !(face < sides.inflow.size() && sides.inflow[face]))
      reader.complain(fmt::format(
          "{} is set (no gas flows in there: the boundary is of another kind); make it \"inflow\", "
          "or leave the state out",
          inflow_names[face]));
  return sides;
}

mesh::Partitioner partitioner_of(std::string_view method) {
  if (method == "hilbert") return mesh::Partitioner::hilbert;
  if (method == "round_robin") return mesh::Partitioner::round_robin;
  if (method == "knapsack") return mesh::Partitioner::knapsack;
  return mesh::Partitioner::morton;
}

std::optional<mesh::Directory> directory_of(std::string_view how) {
  if (how == "table") return mesh::Directory::table;
  if (how == "routed") return mesh::Directory::routed;
  return std::nullopt;
}

template <int D>
mesh::Ratios read_ratios(DeckReader<D>& reader) {
  try {
    return mesh::Ratios(reader.deck().integers("mesh.ratio"));
  } catch (const Error& error) {
    reader.complain(error.what());
    return 2;
  }
}

template <int D>
app::Settings<D> read_settings(const io::Deck& deck, const numerics::Boundaries<D>& boundaries,
                               DeckReader<D>& axes) {
  app::Settings<D> settings;
  settings.mesh = {.lower = axes.reals("mesh.lower"),
                   .upper = axes.reals("mesh.upper"),
                   .root_blocks = axes.integers("mesh.root_blocks"),
                   .block_cells = axes.one_or_each("mesh.block_cells"),
                   .ratio = read_ratios(axes),
                   .max_level = static_cast<int>(deck.integer("mesh.max_level"))};
  settings.time = {.end = deck.real("time.end"),
                   .max_steps = deck.integer("time.max_steps"),
                   .cfl = deck.real("time.cfl"),
                   .max_growth = deck.real("time.max_growth"),
                   .initial_shrink = deck.real("time.initial_shrink"),
                   .subcycle = deck.boolean("time.subcycle")};
  settings.regrid_interval = static_cast<int>(deck.integer("regrid.interval"));
  settings.regrid_buffer = static_cast<int>(deck.integer("regrid.buffer"));
  settings.prolongation = {
      .order = static_cast<numerics::ProlongOrder>(deck.integer("mesh.prolongation")),
      .limiter = deck.string("mesh.prolongation_limiter") == "minmod"
                     ? numerics::SlopeLimiter::minmod
                     : numerics::SlopeLimiter::monotonised_central};
  settings.max_comm_tasks = static_cast<int>(deck.integer("exchange.max_comm_tasks"));
  settings.partition = {
      .cost = deck.string("partition.cost") == "measured" ? app::Cost::measured : app::Cost::one,
      .partitioner = partitioner_of(deck.string("partition.method")),
      .threshold = {deck.real("partition.threshold")},
      .directory = directory_of(deck.string("partition.directory"))};
  if (settings.partition.cost == app::Cost::measured && deck.integer("run.grain") > 1)
    axes.complain(fmt::format(
        "partition.cost = \"measured\" with run.grain = {} (tasks of several blocks are "
        "timed together, so no block's time is known); set run.grain = 1",
        deck.integer("run.grain")));
  if (settings.partition.directory == mesh::Directory::routed &&
      settings.partition.partitioner != mesh::Partitioner::morton)
    axes.complain(fmt::format(
        "partition.directory = \"routed\" with partition.method = \"{}\" (who owns a block is then "
        "asked of ranks that are looked up in the table); set partition.method = \"morton\"",
        deck.string("partition.method")));
  settings.memory_limit_bytes =
      static_cast<std::size_t>(0x1p20 * deck.real("run.memory_limit_mib"));
  try {
    app::geometry_of<D>(settings.mesh, boundaries);
  } catch (const Error& error) {
    axes.complain(error.what());
  }
  return settings;
}

template <int D>
GasProblem<D> read_problem(DeckReader<D>& reader, const Gas<D>& gas) {
  const auto& name = reader.string("problem.name");
  const auto file = problem_files().at(name);
  ProblemReader<D> read{.gas = gas,
                        .gravity = reader.reals("source.gravity"),
                        .lower = reader.reals("mesh.lower"),
                        .upper = reader.reals("mesh.upper"),
                        .deck = reader};
  if (const auto& make = file.template in_dimensions<D>()) return make(read);
  reader.complain(
      fmt::format("problem.name = \"{}\" (there is none with mesh.dim = {}); choose "
                  "another problem or another dimension",
                  name, D));
  return {};
}

/// What a problem says of cells outside, asked for the gas in them.
template <int D, int N>
StateOf<D, N> problem_outside(const GasProblem<D>& problem,
                              const numerics::CellOutside<GasSystem<D, N>>& cell) {
  if constexpr (N == 0) {
    return problem.outside(cell);
  } else {
    const auto& inside = cell.inside;
    return with_scalars<D, N>(problem.outside({cell.face, cell.centre, cell.time, inside.gas}),
                              [&](int k) { return inside.rho_x[k] / inside.gas.rho; });
  }
}

template <int D, int N>
GasScheme<D, N> read_scheme(const io::Deck& deck) {
  return gas_scheme<D, N>(deck);
}

}  // namespace

template <int D, int N>
Setup<D, N> set_up(const io::Deck& deck) {
  DeckReader<D> axes(deck);
  const Gas<D> gas{eos_of(deck)};
  const auto problem = read_problem<D>(axes, gas);
  const auto sides = read_sides<D, N>(axes, gas, problem);
  const auto settings = read_settings<D>(deck, sides.kinds, axes);
  for (auto& error : scheme_errors(deck)) axes.complain(std::move(error));
  if (N > 0 && problem.initial && !problem.scalar)
    axes.complain(fmt::format(
        "hydro.scalars = {} ('{}' does not say where they are at the start); set it to 0", N,
        axes.string("problem.name")));
  Setup<D, N> setup{
      {.scheme = read_scheme<D, N>(deck),
       .initial =
           [problem](const Vec<D>& centre, const Vec<D>& dx) {
             return with_scalars<D, N>(problem.initial(centre, dx),
                                       [&](int k) { return problem.scalar(k, centre, dx); });
           },
       .boundaries = sides.kinds,
       .outside =
           [inflow = sides.inflow, problem](const numerics::CellOutside<GasSystem<D, N>>& cell) {
             const auto& state = inflow[static_cast<std::size_t>(cell.face)];
             return state ? *state : problem_outside<D, N>(problem, cell);
           },
       .source = {},
       .tag = read_criteria<D>(axes, gas, problem, settings.mesh),
       .component_names = {}},
      settings};
  if (D == 1 && std::ranges::count(deck.strings("output.derived"), "vorticity") > 0)
    axes.complain(
        "output.derived has \"vorticity\" (there is none along a line, and mesh.dim = 1); leave it "
        "out");
  axes.throw_if_wrong();
  const Gravity<D> gravity{axes.reals("source.gravity")};
  if (gravity.acceleration != Vec<D>{} || problem.source)
    setup.problem.source =
        GasSource<D>{gravity, problem.source, app::geometry_of<D>(settings.mesh, sides.kinds)};
  for (const auto name : Euler<D>::component_names())
    setup.problem.component_names.emplace_back(name);
  for (int k = 0; k < N; ++k) setup.problem.component_names.push_back(fmt::format("rho_X{}", k));
  return setup;
}

template Setup<1, 0> set_up<1, 0>(const io::Deck&);
template Setup<1, 1> set_up<1, 1>(const io::Deck&);
template Setup<1, 2> set_up<1, 2>(const io::Deck&);
template Setup<2, 0> set_up<2, 0>(const io::Deck&);
template Setup<2, 1> set_up<2, 1>(const io::Deck&);
template Setup<2, 2> set_up<2, 2>(const io::Deck&);
template Setup<3, 0> set_up<3, 0>(const io::Deck&);
template Setup<3, 1> set_up<3, 1>(const io::Deck&);
template Setup<3, 2> set_up<3, 2>(const io::Deck&);

}  // namespace thalweg::hydro
