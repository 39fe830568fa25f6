// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/derived.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/exchange/emit/outside_states.hpp>
#include <thalweg/field/block_pool.hpp>
#include <thalweg/field/fields.hpp>
#include <thalweg/mesh/explicit_assignment.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/mesh/partition.hpp>
#include <thalweg/mesh/refine.hpp>
#include <thalweg/numerics/boundary.hpp>
#include <thalweg/numerics/prolongation.hpp>
#include <thalweg/numerics/wall_leak.hpp>
#include <thalweg/step/cell_functions.hpp>
#include <thalweg/step/equations.hpp>
#include <thalweg/step/face_equations.hpp>
#include <thalweg/step/source_terms.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::app {

/// What is to be solved: equations and scheme, and functions of a cell, which are pure: the library
/// calls them from any worker, block by block. They are called long after who made the problem has
/// returned: lambdas capture values ([width]), never what is local there by reference ([&]).
template <class Scheme>
struct Problem {
  static constexpr int D = Scheme::dim;
  using State = typename Scheme::State;

  Scheme scheme;
  /// initial(CellContext) -> State: the mean state of a cell at the start; of a FaceScheme
  /// initial(CellContext) -> double: the potential at a node.
  step::InitialOf<Scheme> initial;
  numerics::Boundaries<D> boundaries{};
  /// outside(BoundaryCell) -> State: the states outside the faces that are Boundary::dirichlet or
  /// fixed.
  exchange::OutsideStates<typename Scheme::System> outside{};
  /// source(CellContext, State, dt) -> State: what the sources alone make of the state of a cell
  /// in dt, to second order; a source that is faster than the step it integrates itself. Or
  /// source(cells, region, step), which so advances the cells of a region of a block by step.dt.
  /// None: nothing acts. Where the scheme has a rate that is more accurate than a source.
  ///
  /// With Scheme (vl2) and Ctu it is called with half of dt before and after the step, with
  /// RungeKutta only where TimeSettings::split_sources says so. Else it is called there with dt and
  /// with -dt, and half the difference becomes an explicit rate. So it also integrates backwards:
  /// one that returns u for dt < 0 has half its rate. And it is wrong for a stiff source, whose
  /// rate times dt is above about 1.
  step::SourceUpdate<State, D> source{};
  /// rate(CellContext, StateStencil) -> State: how fast sources change a cell, by the states around
  /// it; with schemes of several stages. None: nothing is added. It does not shorten the step:
  /// longest_dt or TimeSettings::max_dt do, where it is faster than signals and diffusion are.
  step::SourceRate<State, D> rate{};
  /// longest_dt(CellContext, State) -> double: how long a step of a cell may be [time], where
  /// sources or rates are faster than signals; of a finer level, its own shorter step. Infinity, or
  /// none: as long as signals allow. A step that has turned out too_large_courant / cfl times too
  /// long is taken again.
  step::LongestDt<State, D> longest_dt{};
  /// refined(CellContext, State u, State at_start) -> State: what a cell of a new block is, from
  /// what the coarser level gave it, u, and the initial state there: coefficients that do not
  /// change, as a bed, may be had from that. None: u.
  step::RefinedState<State, D> refined{};
  /// tag(CellContext, StateStencil) -> bool: whether to refine a cell. None: nothing is refined.
  /// A stencil reaches as far as the scheme has ghost cells, as that of a rate does.
  step::RefinementTags<State, D> tag{};
  /// What a state consists of; in cells as many components as State has. None: one field a
  /// component, u0, u1 and so on.
  std::vector<field::Field> fields{};
  /// What plotfiles may have beside the components, and series.csv, if no neighbours are read.
  std::vector<DerivedField<D>> derived{};
};

/// A problem as functions of a block: its equations and scheme need not be known.
template <int D>
struct BlockProblem {
  mesh::Geometry<D> geometry;
  std::shared_ptr<const step::Equations<D>> equations;
  step::SetCells<D> initial;
  step::SetFaces initial_faces;  ///< where the equations are on faces
  step::SourceTerms<D> source;
  step::AddRate<D> rate;
  step::FindLongestDt<D> longest_dt;
  step::SetCells<D> refined;
  step::SetTags<D> tag;
  field::CellComponents components;
  std::vector<field::PointArray> points;
  std::vector<DerivedField<D>> derived;
};

/// What a block counts when levels are divided among ranks.
enum class Cost : std::uint8_t {
  one,       ///< the same for all of a level
  measured,  ///< the time it took to advance since the last regrid
};

/// How blocks are divided among ranks. The results do not depend on it.
struct Partitioning {
  Cost cost = Cost::one;
  mesh::Partitioner partitioner = mesh::Partitioner::morton;
  mesh::Threshold threshold{};  ///< a level that is less uneven is left where it is
  /// How ranks know who keeps a place; none: as suits their number.
  std::optional<mesh::Directory> directory{};

  mesh::Directory directory_for(int n_ranks) const {
    return directory.value_or(mesh::directory_for(n_ranks));
  }
};

/// When the graph of the first step is captured.
enum class GraphCapture : std::uint8_t {
  eager,  ///< when the simulation is made
  lazy,   ///< if it is large, when the simulation is advanced: what it would take is known without
};

/// What lies under fine blocks.
enum class MeshMode : std::uint8_t {
  nested,  ///< coarse data: any part of a block may be refined, levels may be subcycled
  leaf,    ///< nothing but means of theirs: blocks are refined wholly, all take the same step
};

/// How a problem is discretised and run.
template <int D>
struct Settings {
  typename mesh::Geometry<D>::Config mesh;  ///< which axes are periodic, the boundaries say
  MeshMode mode = MeshMode::nested;
  step::TimeSettings time;
  int regrid_interval = 2;          ///< steps of level 0 between regrids; 0: never after the start
  mesh::Buffers regrid_buffer = 2;  ///< cells around a tagged cell that are refined as well
  numerics::Prolongation prolongation{};  ///< what fills fine cells from coarse ones
  int max_comm_tasks = 4;                 ///< messages to one neighbour and phase; 0: one a copy
  bool join_blocks = true;                ///< see field::JoinRule
  Partitioning partition{};
  /// What cells, plans, graphs and messages of a rank may take; a mesh that would need more is
  /// refused. 0: Context::memory_bytes
  std::size_t memory_limit_bytes = 0;
  field::BlockSource block_source = field::BlockSource::slabs;  ///< memory of the cells
  GraphCapture graph_capture = GraphCapture::eager;

  /// Which blocks are joined at most, on any ranks and workers: what bounds memory from below.
  field::JoinRule widest_join_rule() const {
    return {.levels = join_blocks ? field::JoinLevels::all : field::JoinLevels::none};
  }
};

/// Complain of what a deck would be refused for in the same keys: numbers out of their ranges, and
/// a Courant number with which the scheme is not stable. Beyond what a deck may say, a scheme of
/// one's own may have one above 1, and dt may grow without limit. The mesh geometry_of checks.
/// @param max_courant  up to which the scheme is stable; infinity where nobody knows
/// @errors throws Error with all that is wrong
template <int D>
void check_settings(const Settings<D>& settings, double max_courant);
extern template void check_settings(const Settings<1>&, double);
extern template void check_settings(const Settings<2>&, double);
extern template void check_settings(const Settings<3>&, double);

/// The geometry of a domain with these boundaries.
/// @errors throws Error listing the axes that are periodic at one end only and numbers out of range
template <int D>
mesh::Geometry<D> geometry_of(typename mesh::Geometry<D>::Config mesh,
                              const numerics::Boundaries<D>& boundaries) {
  std::string errors;
  for (int a = 0; a < D; ++a) {
    const auto face = 2 * static_cast<std::size_t>(a);
    mesh.periodic[a] = boundaries[face] == numerics::Boundary::periodic;
    if (mesh.periodic[a] != (boundaries[face + 1] == numerics::Boundary::periodic))
      errors += (errors.empty() ? "" : "\n") +
                fmt::format(
                    "boundary.lower and boundary.upper of {} are not both periodic (a domain wraps "
                    "around at both ends); make both periodic or none",
                    axis_name(a));
  }
  try {
    mesh::Geometry<D> geometry(mesh);
    if (errors.empty()) return geometry;
  } catch (const Error& error) {
    errors += (errors.empty() ? "" : "\n") + std::string(error.what());
  }
  throw Error(errors);
}

namespace detail {

/// @errors throws Error where the list is not of as many components as the system has, and as
/// field::check_fields
template <class System>
field::CellComponents components_of(const std::vector<field::Field>& fields) {
  field::check_fields(fields);
  auto components = field::cell_components(fields);
  for (int c = 0; fields.empty() && c < System::n_components; ++c)
    components.names.push_back(fmt::format("u{}", c));
  components.units.resize(components.names.size());
  if (std::ssize(components.names) != System::n_components)
    throw Error(fmt::format(
        "Problem::fields has {} components in cells (the equations have {}); name each of them",
        components.names.size(), static_cast<int>(System::n_components)));
  if (!fields.empty() && components.n_coefficients != numerics::n_coefficients_of<System>)
    throw Error(fmt::format(
        "Problem::fields has {} components that are coefficients (the equations have {}, the "
        "last ones); set Field::role",
        components.n_coefficients, numerics::n_coefficients_of<System>));
  return components;
}

/// Up to which Courant number a scheme is stable, by a member function or a constant; infinity
/// where it does not say.
template <class Scheme>
constexpr double max_courant_of(const Scheme& scheme) {
  if constexpr (requires { scheme.max_courant(); })
    return scheme.max_courant();
  else if constexpr (requires { double(scheme.max_courant); })
    return scheme.max_courant;
  else
    return std::numeric_limits<double>::infinity();
}

/// @errors throws Error where a wall would let something through: a system that has the mirror of
/// ConservationLaw may have more to turn than `mom`
template <class System, int D = System::dim>
void check_walls(const System& system, const numerics::Boundaries<D>& boundaries,
                 const field::CellComponents& components) {
  if constexpr (numerics::MirrorsMomentumAlone<System>)
    for (int a = 0; a < D; ++a) {
      const auto face = 2 * static_cast<std::size_t>(a);
      if (boundaries[face] != numerics::Boundary::reflecting &&
          boundaries[face + 1] != numerics::Boundary::reflecting)
        continue;
      if (const auto leak = numerics::leak_through_walls(system, a))
        throw Error(fmt::format(
            "boundary.lower or boundary.upper of {} is \"reflecting\" (the equations have the "
            "mirror "
            "of ConservationLaw, which turns `mom` alone: '{}' would flow through the wall); give "
            "them a member mirror(u, axis) of their own that turns all that a wall turns",
            axis_name(a), components.names[*leak]));
    }
}

/// @errors throws Error for a diffusivity with which the time step would not allow for diffusion
template <class System>
void check_diffusivity(const System& system) {
  if constexpr (numerics::DiffusiveSystem<System>)
    if (const double k = system.diffusivity; !(k >= 0 && std::isfinite(k)))
      throw Error(fmt::format(
          "the equations have the diffusivity {} (it bounds the time step, which is stable for one "
          "of 0 or more alone); set it to the largest coefficient of diffusive_flux",
          k));
}

/// @errors throws Error where a later stage of a scheme of stages that share in the step would find
/// ghost cells on which sources have acted for another part of the step than on those inside
template <std::size_t n>
void check_split_sources(const std::array<numerics::Boundary, n>& boundaries,
                         const step::TimeSettings& time, int max_level) {
  if (time.subcycle && max_level > 0)
    throw Error(
        "time.split_sources = true with time.subcycle = true and a scheme of stages that share in "
        "the step (a later stage would get from the coarser level what the source has made in "
        "another part of the step); set time.subcycle to false, or take a scheme as vl2");
  if (std::ranges::count(boundaries, numerics::Boundary::dirichlet) > 0)
    throw Error(
        "time.split_sources = true with a side that has a solution of the problem outside, and a "
        "scheme of stages that share in the step (a later stage would find there what the source "
        "has made in another part of the step, and be of first order); take a scheme as vl2, or "
        "leave time.split_sources out");
}

/// @errors throws Error for what constrained transport does not do
template <class Scheme>
void check_faces(const Problem<Scheme>& problem, const Settings<2>& settings,
                 const mesh::Geometry<2>& geometry) {
  std::string errors;
  if (settings.time.subcycle)
    errors +=
        "time.subcycle = true (a field on faces makes one step on all levels); set it to false\n";
  bool has_ratio_2 = true;
  for (int l = 0; l < geometry.max_level(); ++l)
    has_ratio_2 = has_ratio_2 && geometry.ratio(l) == 2;
  if (!has_ratio_2)
    errors += fmt::format(
        "mesh.ratio = {} (faces inside coarse cells are known for ratio 2); set it to 2\n",
        settings.mesh.ratio.text());
  if (!std::ranges::all_of(problem.boundaries,
                           [](auto kind) { return kind == numerics::Boundary::periodic; }))
    errors +=
        "boundary.lower, boundary.upper (a field on faces has no other sides yet); make all "
        "periodic\n";
  const auto points = field::point_arrays(problem.fields, 2);
  using enum field::Place;
  if (points.size() != 3 || points[0].place != faces || points[0].is_derived ||
      points[0].n_ghosts != Scheme::n_ghosts_of_faces ||
      points[2] != field::PointArray{nodes, 0, 0, true})
    errors += fmt::format(
        "Problem::fields is not a field on faces with {} ghosts, then a derived one at nodes "
        "without, then those in cells (constrained transport has these); name them\n",
        Scheme::n_ghosts_of_faces);
  if (problem.source || problem.rate || problem.refined)
    errors += "Problem::source, rate or refined is set (cells follow from faces); leave it out\n";
  if (!errors.empty()) throw Error(errors);
}

}  // namespace detail

/// Turn the functions of a cell of a problem into functions of a block.
/// @errors throws Error for what does not go together, and as geometry_of
template <class Scheme, int D = Scheme::dim>
BlockProblem<D> block_problem(const Problem<Scheme>& problem, const Settings<D>& settings) {
  check_settings(settings, detail::max_courant_of(problem.scheme));
  const auto geometry = geometry_of<D>(settings.mesh, problem.boundaries);
  if (!problem.initial)
    throw Error(
        "the problem has no initial state (there is nothing to start from); set Problem::initial");
  if (settings.mode == MeshMode::leaf && settings.time.subcycle)
    throw Error(
        "a mesh in leaf mode with subcycling (there all leaves take the same step); set "
        "Settings::time.subcycle to false");
  if constexpr (numerics::BlockScheme<Scheme>) {
    if (!field::point_arrays(problem.fields, D).empty())
      throw Error(
          "Problem::fields has a field on faces or at nodes (the scheme advances cells); leave it "
          "out, or use numerics::ConstrainedTransport");
    if (!numerics::WalledSystem<typename Scheme::System> &&
        std::ranges::count(problem.boundaries, numerics::Boundary::reflecting) > 0)
      throw Error(
          "boundary.lower or boundary.upper is \"reflecting\" (the equations do not say what a "
          "state looks like in a wall, and much would flow through it); give the system a member "
          "mirror(u, axis), or choose another kind");
    if (problem.rate && numerics::is_one_step(problem.scheme.stages()))
      throw Error(
          "Problem::rate is set with a scheme that evaluates it in no stage; use "
          "numerics::RungeKutta");
    if (problem.source && settings.time.split_sources &&
        !numerics::is_one_step(problem.scheme.stages()))
      detail::check_split_sources(problem.boundaries, settings.time, geometry.max_level());
  }
  if (std::ranges::any_of(problem.boundaries, numerics::is_user_defined) && !problem.outside)
    throw Error(
        "a boundary is given, but the problem does not say the states outside (nothing can come in "
        "there); set Problem::outside, or another kind of boundary");
  auto components = detail::components_of<typename Scheme::System>(problem.fields);
  detail::check_walls(problem.scheme.system, problem.boundaries, components);
  detail::check_diffusivity(problem.scheme.system);
  BlockProblem<D> of_blocks{
      .geometry = geometry,
      .equations = step::equations_of(
          problem.scheme, {geometry, problem.boundaries, settings.prolongation, problem.outside},
          components.names),
      .initial = {},
      .initial_faces = {},
      .source = problem.source.on(geometry),
      .rate = problem.rate,
      .longest_dt = problem.longest_dt,
      .refined = {},
      .tag = problem.tag,
      .components = std::move(components),
      .points = field::point_arrays(problem.fields, D),
      .derived = problem.derived};
  if constexpr (numerics::FaceScheme<Scheme>) {
    detail::check_faces(problem, settings, geometry);
    of_blocks.initial_faces = problem.initial;
  } else {
    of_blocks.initial = problem.initial;
    of_blocks.refined = problem.refined.of_block(of_blocks.initial);
  }
  return of_blocks;
}

}  // namespace thalweg::app
