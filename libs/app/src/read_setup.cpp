// SPDX-License-Identifier: MIT
#include <thalweg/app/read_setup.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <thalweg/app/option_words.hpp>
#include <thalweg/core/complaints.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/mesh/ratios.hpp>

#include "places.hpp"

namespace thalweg::app {

namespace {

// What the words in a deck mean; which ones there are, shared_parameters() says.
const Choices<numerics::Boundary> boundaries_by_word{
    {"periodic", numerics::Boundary::periodic},
    {"outflow", numerics::Boundary::outflow},
    {"reflecting", numerics::Boundary::reflecting},
    {"inflow", numerics::Boundary::fixed},
    {"problem", numerics::Boundary::dirichlet}};  // or fixed, as it says
const Choices<MeshMode> mesh_modes{{"nested", MeshMode::nested}, {"leaf", MeshMode::leaf}};
const Choices<numerics::SlopeLimiter> limiters{
    {"central", numerics::SlopeLimiter::monotonised_central},
    {"minmod", numerics::SlopeLimiter::minmod}};
const Choices<Cost> costs{{"one", Cost::one}, {"measured", Cost::measured}};
const Choices<mesh::Partitioner> partitioners{{"morton", mesh::Partitioner::morton},
                                              {"hilbert", mesh::Partitioner::hilbert},
                                              {"round_robin", mesh::Partitioner::round_robin},
                                              {"knapsack", mesh::Partitioner::knapsack}};
const Choices<std::optional<mesh::Directory>> directories{
    {"auto", std::nullopt}, {"table", mesh::Directory::table}, {"routed", mesh::Directory::routed}};

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
Partitioning read_partitioning(DeckReader<D>& reader) {
  const io::Deck& deck = reader.deck();
  const Partitioning partitioning{
      .cost = value_of(costs, deck.string("partition.cost")),
      .partitioner = value_of(partitioners, deck.string("partition.method")),
      .threshold = {deck.real("partition.threshold")},
      .directory = value_of(directories, deck.string("partition.directory"))};
  if (partitioning.cost == Cost::measured && deck.integer("run.grain") > 1)
    reader.complain(fmt::format(
        "partition.cost = \"measured\" with run.grain = {} (tasks of several blocks are "
        "timed together, so no block's time is known); set run.grain = 1",
        deck.integer("run.grain")));
  if (partitioning.directory == mesh::Directory::routed &&
      partitioning.partitioner != mesh::Partitioner::morton)
    reader.complain(fmt::format(
        "partition.directory = \"routed\" with partition.method = \"{}\" (who owns a block is then "
        "asked of ranks that are looked up in the table); set partition.method = \"morton\"",
        deck.string("partition.method")));
  return partitioning;
}

/// Complains of meshes that can be numbered, but not computed on.
template <int D>
void check_mesh(DeckReader<D>& reader, const mesh::Geometry<D>& geometry, bool subcycles) {
  const int finest = geometry.max_level();
  // All steps of the levels in one of level 0 are nodes of one graph.
  constexpr std::int64_t most_substeps = 1 << 16;
  if (const auto n = geometry.ratio_to_root(finest); subcycles && n > most_substeps)
    reader.complain(
        fmt::format("mesh.max_level = {} with mesh.ratio = {} (a step of level 0 has {} of the "
                    "finest, which are "
                    "planned together: up to {} can be); lower it, refine level 0, or set "
                    "time.subcycle = false",
                    finest, geometry.config().ratio.text(), n, most_substeps));
  const Vec<D> cell = geometry.cell_size(finest);
  for (int a = 0; a < D; ++a) {
    const auto& [lower, upper] = std::pair(geometry.config().lower[a], geometry.config().upper[a]);
    const double farthest = std::max(std::abs(lower), std::abs(upper));
    const double spacing = std::nextafter(farthest, 2 * farthest) - farthest;  // of numbers there
    constexpr double least_spacings = 1024;  // in a cell, so that its width has three digits
    constexpr double shortest = 1e-100, longest = 1e100;  // whose cubes are numbers
    if (!std::isfinite(upper - lower) || !std::isfinite(spacing) ||
        cell[a] < least_spacings * spacing)
      reader.complain(fmt::format(
          "the domain from {:g} to {:g} along {} has cells of width {:g} on level {} (places "
          "there cannot be told apart: numbers are {:g} apart); take a smaller or nearer domain, "
          "or fewer levels",
          lower, upper, axis_name(a), cell[a], finest, spacing));
    else if (cell[a] < shortest || upper - lower > longest)
      reader.complain(fmt::format(
          "the domain from {:g} to {:g} along {} has cells of width {:g} on level {} (volumes "
          "would overflow or vanish: lengths are {:g} to {:g}); take another unit of length",
          lower, upper, axis_name(a), cell[a], finest, shortest, longest));
  }
}

}  // namespace

template <int D>
detail::Sides<D> detail::read_sides(DeckReader<D>& reader, const Outside& outside) {
  Sides<D> sides;
  bool has_problem = false;
  for (const std::size_t side : {0u, 1u}) {
    const std::string_view name = side == 0 ? "boundary.lower" : "boundary.upper";
    const auto kinds = reader.strings(name);
    for (std::size_t a = 0; a < kinds.size(); ++a) {
      const bool is_fixed = kinds[a] == "problem" && outside.is_fixed;
      sides.kinds[2 * a + side] =
          is_fixed ? numerics::Boundary::fixed : value_of(boundaries_by_word, kinds[a]);
      sides.has_inflow[2 * a + side] = kinds[a] == "inflow";
      has_problem = has_problem || kinds[a] == "problem";
      if (kinds[a] == "problem" && !outside.is_said)
        reader.complain(fmt::format(
            "{} of {} is \"problem\" ('{}' does not say what lies there); choose another kind",
            name, axis_name(static_cast<int>(a)),
            reader.string(reader.deck().is_declared("problem.name") ? "problem.name"
                                                                    : "application.name")));
    }
  }
  for (std::size_t face = 0; face < inflow_keys.size(); ++face)
    if (!reader.deck().reals(inflow_keys[face]).empty() &&
        !(face < sides.has_inflow.size() && sides.has_inflow[face]))
      reader.complain(fmt::format(
          "{} is set (there is no inflow there: the boundary is of another kind); make it "
          "\"inflow\", or leave the state out",
          inflow_keys[face]));
  // Who names the sides in a deck may well want others than the problem's.
  if (outside.is_said && !outside.is_optional && !has_problem &&
      !reader.deck().is_given("boundary.lower") && !reader.deck().is_given("boundary.upper"))
    sides.warnings.push_back(
        "no side is \"problem\", so what the problem says of the outside has no effect; set "
        "boundary.lower or boundary.upper");
  return sides;
}

template <int D>
void detail::check_boundaries(DeckReader<D>& reader, const numerics::Boundaries<D>& given,
                              const numerics::Boundaries<D>& of_deck) {
  if (given == numerics::Boundaries<D>{} || given == of_deck) return;
  reader.complain(
      "Problem::boundaries are others than boundary.lower and boundary.upper (the deck says what "
      "the sides are, and these would be lost); leave them out, and set what decks have by default "
      "in ProblemChoice::defaults");
}

namespace {

/// Complains of derived fields that are not well said, or that none of the choices of a deck asks
/// for.
void check_declared_fields(const std::vector<detail::DerivedName>& fields,
                           const std::vector<std::string>& choices, Complaints& complaints) {
  const auto is_choice = [&](const std::string& name) {
    return std::ranges::find(choices, name) != choices.end();
  };
  for (const detail::DerivedName& field : fields) {
    if (!field.can_be_computed)
      complaints.add(
          fmt::format("the derived field '{}' has no function (nothing says what it is); set "
                      "DerivedField::compute",
                      field.name));
    if (field.has_lost_total)
      complaints.add(
          fmt::format("the derived field '{}' reads neighbours and has an integral_unit (totals in "
                      "series.csv are of fields that read their own cell alone); leave "
                      "DerivedField::integral_unit out",
                      field.name));
    for (const std::string& unit : field.units)
      if (!field::is_unit(unit))
        complaints.add(fmt::format(
            "the derived field '{}' has the unit '{}' (a comma, a quote or a control character "
            "breaks the heading of series.csv); write it without",
            field.name, unit));
    if (!is_choice(field.name) && (field.group.empty() || !is_choice(field.group)))
      complaints.add(
          fmt::format("Problem::derived has '{}' (no deck could ask for it in output.derived); add "
                      "its name, or "
                      "its group, to Application::derived",
                      field.name));
  }
}

/// Complains of what a deck asks for twice, or of what is no derived field.
void check_asked_fields(const std::vector<detail::DerivedName>& fields,
                        const std::vector<std::string>& asked, Complaints& complaints) {
  for (const detail::DerivedName& field : fields)
    if (std::ranges::count_if(asked, [&](const std::string& name) {
          return name == field.name || name == field.group;
        }) > 1)
      complaints.add(fmt::format(
          "output.derived has the field '{}' twice (readers ask for variables by name); name it "
          "once, by itself or by its group",
          field.name));
  for (const std::string& name : asked)
    if (std::ranges::none_of(fields, [&](const detail::DerivedName& field) {
          return field.name == name || field.group == name;
        }))
      complaints.add(fmt::format(
          "output.derived has \"{}\" (the problem has no derived field, or group of them, of that "
          "name); leave it out, or add the field to Problem::derived",
          name));
}

}  // namespace

void detail::check_derived(const io::Deck& deck, const std::vector<DerivedName>& fields) {
  std::vector<std::string> choices, asked;
  if (deck.is_declared("output.derived")) {
    for (const io::Parameter& parameter : deck.parameters())
      if (parameter.name == "output.derived") choices = parameter.choices;
    asked = deck.strings("output.derived");
  }
  Complaints complaints;
  check_declared_fields(fields, choices, complaints);
  check_asked_fields(fields, asked, complaints);
  complaints.throw_if_any();
}

void detail::check_plot_fields(const io::Deck& deck, const std::vector<std::string>& components) {
  if (!deck.is_declared(key_of_fields)) return;
  const auto names = deck.strings(key_of_fields);
  Complaints complaints;
  for (const std::string& name : names)
    if (name != all_fields && std::ranges::find(components, name) == components.end())
      complaints.add(fmt::format(
          "{} has \"{}\" (the fields of the state are {}); name some of these, or \"{}\"; others "
          "may be among those of output.derived",
          key_of_fields, name, joined_text(components), all_fields));
  if (names.empty() && derived_of(deck).empty())
    complaints.add(
        fmt::format("{} and output.derived are both empty (a plotfile has a field at least); name "
                    "one",
                    key_of_fields));
  complaints.throw_if_any();
}

template <int D>
Settings<D> read_settings(DeckReader<D>& reader, const numerics::Boundaries<D>& boundaries) {
  const io::Deck& deck = reader.deck();
  Settings<D> settings{
      .mesh = {.lower = reader.reals("mesh.lower"),
               .upper = reader.reals("mesh.upper"),
               .root_blocks = reader.integers("mesh.root_blocks"),
               .block_cells = reader.one_or_each("mesh.block_cells"),
               .ratio = read_ratios(reader),
               .max_level = reader.integer("mesh.max_level")},
      .mode = value_of(mesh_modes, deck.string("mesh.mode")),
      .time = {.end = deck.real("time.end"),
               .max_steps = deck.integer("time.max_steps"),
               .cfl = deck.real("time.cfl"),
               .max_growth = deck.real("time.max_growth"),
               .initial_shrink = deck.real("time.initial_shrink"),
               .max_dt = deck.real("time.max_dt"),
               .subcycle = deck.boolean("time.subcycle"),
               .split_sources = deck.boolean("time.split_sources"),
               .retries = reader.integer("time.retries")},
      .regrid_interval = reader.integer("regrid.interval"),
      .regrid_buffer = mesh::Buffers(deck.integers("regrid.buffer")),
      .prolongation = {.order =
                           static_cast<numerics::ProlongOrder>(deck.integer("mesh.prolongation")),
                       .limiter = value_of(limiters, deck.string("mesh.prolongation_limiter"))},
      .max_comm_tasks = reader.integer("exchange.max_comm_tasks"),
      .join_blocks = deck.boolean("mesh.join_blocks"),
      .partition = read_partitioning(reader),
      .memory_limit_bytes = static_cast<std::size_t>(0x1p20 * deck.real("run.memory_limit_mib"))};
  if (settings.mode == MeshMode::leaf && settings.time.subcycle)
    reader.complain(
        "mesh.mode = \"leaf\" with time.subcycle = true (all leaves take the same step); leave "
        "time.subcycle out, or set mesh.mode = \"nested\"");
  check_places(reader, settings.mesh.lower, settings.mesh.upper);
  try {
    check_mesh(reader, geometry_of<D>(settings.mesh, boundaries), settings.time.subcycle);
  } catch (const Error& error) {
    reader.complain(error.what());
  }
  return settings;
}

#define THALWEG_INSTANTIATE(D)                                                           \
  template void detail::check_boundaries(DeckReader<D>&, const numerics::Boundaries<D>&, \
                                         const numerics::Boundaries<D>&);                \
  template detail::Sides<D> detail::read_sides(DeckReader<D>&, const Outside&);          \
  template Settings<D> read_settings(DeckReader<D>&, const numerics::Boundaries<D>&)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::app
