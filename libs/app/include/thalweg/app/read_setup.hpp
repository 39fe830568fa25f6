// SPDX-License-Identifier: MIT
#pragma once

#if !defined(THALWEG_1D) && !defined(THALWEG_2D) && !defined(THALWEG_3D)
#error "Thalweg's flags are missing: link CMake's thalweg::app, or pass what pkg-config prints"
#endif

#include <array>
#include <cstddef>
#include <expected>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/application.hpp>
#include <thalweg/app/block_functions.hpp>
#include <thalweg/app/deck_reader.hpp>
#include <thalweg/app/problem.hpp>
#include <thalweg/app/sampled_mesh.hpp>
#include <thalweg/app/simulation.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/field/fields.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/numerics/boundary.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::app {

/// The keys of the states of inflows, in the order 2*axis + side.
inline constexpr std::array<std::string_view, 6> inflow_keys{
    "boundary.inflow_lower_x", "boundary.inflow_upper_x", "boundary.inflow_lower_y",
    "boundary.inflow_upper_y", "boundary.inflow_lower_z", "boundary.inflow_upper_z"};

/// A problem as an application makes it of a deck, and what the library need not know otherwise.
template <class Scheme>
struct ProblemSetup {
  /// Its boundaries are what the deck says: they are left out here, or the same. Which ones a deck
  /// has by default, ProblemChoice::defaults says.
  Problem<Scheme> problem;
  std::string scheme_name;  ///< how steps are made, on one line, as checkpoints say it
  /// What an inflow needs, for messages: one number for each primitive quantity, in their order.
  /// "": the components of the state, where these are the primitive quantities; say it where a
  /// system has one type for both and means something else by it, as velocities by momenta.
  std::string inflow_needs{};
  /// Whether Problem::outside holds states against the source, or makes them of the mirror image,
  /// as walls are. Else it is a solution: what acts on the state acts there as well.
  bool outside_is_fixed = false;
  /// Whether decks may well have no side of kind "problem". Else a deck that names no sides, and
  /// has none by default, is warned that Problem::outside has no effect.
  bool outside_is_optional = false;
};

/// A problem and settings, checked.
template <class Scheme>
struct Setup {
  Problem<Scheme> problem;
  Settings<Scheme::dim> settings;
  std::string scheme_name;
  std::vector<std::string> warnings{};  ///< see AnySetup
};

/// The settings of a deck's shared sections. Complains to the reader of what does not go together.
template <int D>
Settings<D> read_settings(DeckReader<D>& reader, const numerics::Boundaries<D>& boundaries);
extern template Settings<1> read_settings(DeckReader<1>&, const numerics::Boundaries<1>&);
extern template Settings<2> read_settings(DeckReader<2>&, const numerics::Boundaries<2>&);
extern template Settings<3> read_settings(DeckReader<3>&, const numerics::Boundaries<3>&);

namespace detail {

/// What a deck says of the sides of a domain.
template <int D>
struct Sides {
  numerics::Boundaries<D> kinds{};
  std::array<bool, 2 * static_cast<std::size_t>(D)> has_inflow{};
  std::vector<std::string> warnings{};
};

/// What a problem says of the outside, as ProblemSetup has it.
struct Outside {
  bool is_said;  ///< whether it says anything
  bool is_fixed;
  bool is_optional;
};
template <int D>
Sides<D> read_sides(DeckReader<D>& reader, const Outside& outside);
extern template Sides<1> read_sides(DeckReader<1>&, const Outside&);
extern template Sides<2> read_sides(DeckReader<2>&, const Outside&);
extern template Sides<3> read_sides(DeckReader<3>&, const Outside&);

/// Complains of boundaries that an application gives, where the deck has others. All periodic, as
/// they are where nobody gives any, is nothing given.
template <int D>
void check_boundaries(DeckReader<D>& reader, const numerics::Boundaries<D>& given,
                      const numerics::Boundaries<D>& of_deck);
extern template void check_boundaries(DeckReader<1>&, const numerics::Boundaries<1>&,
                                      const numerics::Boundaries<1>&);
extern template void check_boundaries(DeckReader<2>&, const numerics::Boundaries<2>&,
                                      const numerics::Boundaries<2>&);
extern template void check_boundaries(DeckReader<3>&, const numerics::Boundaries<3>&,
                                      const numerics::Boundaries<3>&);

/// A derived field as Application::derived may name it.
struct DerivedName {
  std::string name;
  std::string group;
  bool can_be_computed;
  std::vector<std::string> units;
  bool has_lost_total;  ///< it says the unit of an integral that no table has
};
/// What does not go together in the derived fields of a problem and what output.derived may name.
/// @errors throws Error
void check_derived(const io::Deck& deck, const std::vector<DerivedName>& fields);
/// Whether a plotfile can have what output.fields names of these components.
/// @errors throws Error
void check_plot_fields(const io::Deck& deck, const std::vector<std::string>& components);

/// What an inflow needs, where an application does not say it.
template <class System>
std::string inflow_needs_of(const std::vector<field::Field>& fields) {
  if constexpr (std::is_same_v<typename System::State, typename System::Primitive>)
    if (const auto names = field::cell_components(fields).names;
        std::ssize(names) == System::n_components)
      return "the components of the state: " + joined_text(names);
  return "the primitive quantities of the equations";
}

template <class System, int D = System::dim>
std::optional<typename System::State> read_inflow(DeckReader<D>& reader, std::size_t face,
                                                  const System& system, std::string_view needs) {
  using Primitive = typename System::Primitive;
  const auto& values = reader.deck().reals(inflow_keys[face]);
  if (values.size() == System::n_components) {
    const auto w = numerics::make_state<Primitive>([&](std::size_t c) { return values[c]; });
    // Of a fast stream the conserved state may have lost the pressure in rounding: it was there.
    if (system.admissible(w)) return system.to_conserved(w);
    reader.complain(fmt::format(
        "{} = [{}] (not an admissible state: it must have {}); give others, in this order: {}",
        inflow_keys[face], joined_text(values),
        numerics::and_finite(numerics::admissible_states_of<System>), needs));
    return std::nullopt;
  }
  constexpr int n = System::n_components;
  reader.complain(fmt::format("{} = [{}] (an inflow there needs {}); give {} number{}",
                              inflow_keys[face], joined_text(values), needs, n, n == 1 ? "" : "s"));
  return std::nullopt;
}

template <class Scheme>
class SetupOf final : public AnySetup {
 public:
  explicit SetupOf(Setup<Scheme> setup) : setup_(std::move(setup)) {}

  const step::TimeSettings& time() const override { return setup_.settings.time; }
  int max_level() const override { return setup_.settings.mesh.max_level; }
  bool has_tags() const override { return static_cast<bool>(setup_.problem.tag); }
  bool asks_initial_state() const override { return static_cast<bool>(setup_.problem.refined); }
  bool has_sources_without_limit() const override {
    const auto& problem = setup_.problem;
    return (problem.source || problem.rate) && !problem.longest_dt;
  }
  std::vector<std::string> warnings() const override { return setup_.warnings; }
  double root_bytes() const override {
    const auto& mesh = setup_.settings.mesh;
    double n_values = field::LevelField<Scheme::dim>::least_block_size(
        mesh.block_cells, setup_.problem.scheme.n_ghosts, Scheme::n_components,
        setup_.settings.widest_join_rule());
    for (const int n : mesh.root_blocks.at) n_values *= n;
    return n_values * sizeof(double);
  }
  SampledMesh sampled_mesh(double enough_bytes) const override {
    return sample_mesh(block_problem(setup_.problem, setup_.settings), setup_.settings,
                       enough_bytes);
  }
  const std::string& scheme_name() const override { return setup_.scheme_name; }
  std::vector<std::string> component_names() const override {
    return components_of<typename Scheme::System>(setup_.problem.fields).names;
  }
  std::vector<std::string> derived_names() const override {
    std::vector<std::string> names;
    for (const auto& field : setup_.problem.derived) names.push_back(field.name);
    return names;
  }
  std::vector<std::string> derived_groups() const override {
    std::vector<std::string> groups;
    for (const auto& field : setup_.problem.derived) groups.push_back(field.group);
    return groups;
  }
  void take(BlockFunctions functions) override {
    constexpr int D = Scheme::dim;
    auto& problem = setup_.problem;
    const auto fields = block_fields<D>(
        components_of<typename Scheme::System>(problem.fields).names, problem.derived);
    if constexpr (numerics::FaceScheme<Scheme>) {
      if (functions.initial || functions.source)
        throw Error(
            "a function of blocks for the initial state or the source (a field on faces is "
            "advanced "
            "here, and cells follow from it); leave it out");
    } else {
      if (functions.initial)
        problem.initial = changed_initial<D>(fields, problem.initial, std::move(functions.initial));
      if (functions.source) {
        const auto geometry = geometry_of<D>(setup_.settings.mesh, problem.boundaries);
        problem.source = joined_source<D>(fields, problem.source.on(geometry),
                                          std::move(functions.source), geometry);
      }
    }
    if (functions.longest_dt)
      problem.longest_dt =
          joined_longest_dt<D>(fields, problem.longest_dt, std::move(functions.longest_dt));
    if (functions.tag) problem.tag = tags_given_by<D>(fields, std::move(functions.tag));
  }
  Result<std::unique_ptr<AnySimulation>> simulation(const Context& context, const Checkpoint* from,
                                                    OnStep on_step) const override {
    return make(context, from, setup_.settings, std::move(on_step));
  }
  Result<std::unique_ptr<AnySimulation>> simulation_to_inspect(
      const Context& context, const Checkpoint* from) const override {
    auto settings = setup_.settings;
    settings.graph_capture = GraphCapture::lazy;
    return make(context, from, settings, {});
  }
  Result<WantedBlocks> wanted_blocks(const Context& context) const override {
    return Simulation<Scheme>::wanted_blocks(context, setup_.problem, setup_.settings);
  }
  Result<std::unique_ptr<AnySimulation>> simulation_without_cells(
      const Context& context, const WantedBlocks& wanted) const override {
    return Simulation<Scheme>::without_cells(context, setup_.problem, setup_.settings, wanted);
  }

 private:
  Result<std::unique_ptr<AnySimulation>> make(const Context& context, const Checkpoint* from,
                                              const Settings<Scheme::dim>& settings,
                                              OnStep on_step) const {
    using S = Simulation<Scheme>;
    auto made = S::make(context, setup_.problem, settings, from, std::move(on_step));
    if (!made) return std::unexpected(made.error());
    return std::unique_ptr<AnySimulation>(*std::move(made));
  }

  Setup<Scheme> setup_;
};

}  // namespace detail

/// A set-up whose equations the caller need not know.
template <class Scheme>
std::unique_ptr<AnySetup> any_setup(Setup<Scheme> setup) {
  return std::make_unique<detail::SetupOf<Scheme>>(std::move(setup));
}

/// Read what a deck says beside the problem: its sides, and the shared sections.
/// @errors throws Error with everything that was complained about to the reader
template <class Scheme, int D = Scheme::dim>
Setup<Scheme> read_setup(DeckReader<D>& reader, ProblemSetup<Scheme> from) {
  using System = typename Scheme::System;
  using State = typename Scheme::State;
  auto& problem = from.problem;
  const auto sides = detail::read_sides<D>(reader, {.is_said = bool(problem.outside),
                                                    .is_fixed = from.outside_is_fixed,
                                                    .is_optional = from.outside_is_optional});
  detail::check_boundaries<D>(reader, problem.boundaries, sides.kinds);
  problem.boundaries = sides.kinds;
  if constexpr (requires { problem.scheme.stages(); }) {
    try {
      problem.scheme.stages();
    } catch (const Error& error) {
      reader.complain(error.what());
    }
  }
  const auto inflow_needs = from.inflow_needs.empty()
                                ? detail::inflow_needs_of<System>(problem.fields)
                                : from.inflow_needs;
  std::array<std::optional<State>, 2 * D> inflow;
  for (std::size_t face = 0; face < inflow.size(); ++face)
    if (sides.has_inflow[face])
      inflow[face] = detail::read_inflow<System>(reader, face, problem.scheme.system, inflow_needs);
  problem.outside = exchange::SetOutside<D>(
      [inflow, outside = exchange::SetOutside<D>(problem.outside)](
          const auto& geometry, int level, double time, const numerics::BoundaryRow<D>& row) {
        const auto& state = inflow[static_cast<std::size_t>(row.face)];
        if (!state) return outside(geometry, level, time, row);
        row.template set<State>([&](const auto&, const State&) { return *state; });
      });
  auto settings = read_settings<D>(reader, problem.boundaries);
  try {
    check_settings(settings, detail::max_courant_of(problem.scheme));
  } catch (const Error& error) {
    reader.complain(error.what());
  }
  reader.throw_if_wrong();
  std::vector<detail::DerivedName> derived;
  for (const auto& field : problem.derived)
    derived.push_back({field.name,
                       field.group,
                       static_cast<bool>(field.compute),
                       {field.unit, field.integral_unit},
                       field.reads == Reads::neighbours && !field.integral_unit.empty()});
  detail::check_derived(reader.deck(), derived);
  detail::check_plot_fields(reader.deck(), detail::components_of<System>(problem.fields).names);
  std::vector<std::string> warnings = sides.warnings;
  if constexpr (numerics::FaceScheme<Scheme>)
    for (const std::string_view key : {"mesh.prolongation", "mesh.prolongation_limiter"})
      if (!reader.deck().is_default(key))
        warnings.push_back(
            fmt::format("{} has no effect: a field on faces is interpolated in one way alone, "
                        "without divergence",
                        key));
  return {std::move(problem), std::move(settings), std::move(from.scheme_name),
          std::move(warnings)};
}

/// Call f.operator()<D>() with mesh.dim, which must be one of these.
/// @errors throws Error for another one, and for one that the build left out
template <int... Dims, class F>
void in_dimension(const io::Deck& deck, F f) {
  const auto dim = deck.integer("mesh.dim");
  bool is_done = false, is_left_out = false;
  const auto try_dimension = [&]<int D>(std::integral_constant<int, D>) {
    if (dim != D) return;
    is_left_out = !is_compiled(D);
    if constexpr (is_compiled(D)) {
      f.template operator()<D>();
      is_done = true;
    }
  };
  (try_dimension(std::integral_constant<int, Dims>{}), ...);
  if (is_left_out)
    throw Error(
        fmt::format("mesh.dim = {} (this program was built without it); build it with {} among "
                    "THALWEG_DIMENSIONS",
                    dim, dim));
  if (!is_done)
    throw Error(
        fmt::format("mesh.dim = {} (the application '{}' does not exist there); choose one of: {}",
                    dim, deck.string("application.name"), joined_text(std::array{Dims...})));
}

/// Make Application::set_up of a function that reads a problem in each of these dimensions.
/// @param read_problem  read_problem(DeckReader<D>&) -> ProblemSetup<Scheme of D dimensions>;
/// complains to the reader of what does not go together
template <int... Dims, class Read>
auto set_up_in(Read read_problem) {
  return [read_problem](const io::Deck& deck) -> std::unique_ptr<AnySetup> {
    std::unique_ptr<AnySetup> made;
    in_dimension<Dims...>(deck, [&]<int D>() {
      DeckReader<D> reader(deck);
      auto problem = [&] {
        try {
          return read_problem(reader);
        } catch (const Error& error) {  // beside what was complained about before
          for (const auto line : std::views::split(std::string_view(error.what()), '\n'))
            reader.complain(std::string(line.begin(), line.end()));
          reader.throw_if_wrong();
          throw;
        }
      }();
      made = any_setup(read_setup(reader, std::move(problem)));
    });
    return made;
  };
}

}  // namespace thalweg::app
