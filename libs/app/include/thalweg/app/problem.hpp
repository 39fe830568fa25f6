// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/derived.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/field/block_pool.hpp>
#include <thalweg/mesh/explicit_assignment.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/mesh/partition.hpp>
#include <thalweg/numerics/boundary.hpp>
#include <thalweg/numerics/prolongation.hpp>
#include <thalweg/step/cell_functions.hpp>
#include <thalweg/step/equations.hpp>
#include <thalweg/step/source_terms.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::app {

/// What is to be solved: equations and scheme, and functions of a cell, which are pure: the library
/// calls them from any worker, block by block.
template <class Scheme>
struct Problem {
  static constexpr int D = Scheme::dim;
  using State = typename Scheme::State;

  Scheme scheme;
  /// initial(CellContext) -> State: the mean state of a cell at the start.
  step::InitialState<State, D> initial;
  numerics::Boundaries<D> boundaries{};
  /// The states outside the faces that are Boundary::dirichlet or held.
  std::function<State(const numerics::BoundaryCell<typename Scheme::System>&)> outside{};
  step::SourceTerms<D> source{};  ///< none where there are none
  /// rate(CellContext, StateStencil) -> State: how fast sources change a cell, by the states around
  /// it; with schemes of several stages. None: nothing is added.
  step::SourceRate<State, D> rate{};
  /// refined(CellContext, State) -> State: what a cell of a new block is, from what the coarser
  /// level gave it. None: the same.
  step::CellUpdate<State, D> refined{};
  /// tag(CellContext, StateStencil) -> bool: whether to refine a cell. None: nothing is refined.
  step::RefinementTags<State, D> tag{};
  std::vector<std::string> component_names;  ///< as written to plotfiles
  /// Of each component's integral over the domain, for the heads of tables; may be left out.
  std::vector<std::string> component_units{};
  /// What plotfiles may have beside the components, and series.csv, if no neighbours are read.
  std::vector<DerivedField<D>> derived{};
};

/// A problem as functions of a block: its equations and scheme need not be known.
template <int D>
struct BlockProblem {
  mesh::Geometry<D> geometry;
  std::shared_ptr<const step::Equations<D>> equations;
  step::SetCells<D> initial;
  step::SourceTerms<D> source;
  step::AddRate<D> rate;
  step::SetCells<D> refined;
  step::SetTags<D> tag;
  std::vector<std::string> component_names;
  std::vector<std::string> component_units;  ///< as many, some empty
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

/// How a problem is discretised and run.
template <int D>
struct Settings {
  typename mesh::Geometry<D>::Config mesh;  ///< which axes are periodic, the boundaries say
  step::TimeSettings time;
  int regrid_interval = 2;  ///< steps of level 0 between regrids; 0: never after the start
  int regrid_buffer = 2;    ///< cells around a tagged cell that are refined as well
  numerics::Prolongation prolongation{};  ///< what fills fine cells from coarse ones
  int max_comm_tasks = 4;  ///< messages to one neighbour and phase; 0: one a block face
  Partitioning partition{};
  /// What cells, plans, graphs and messages of a rank may take; a mesh that would need more is
  /// refused. 0: Context::memory_bytes
  std::size_t memory_limit_bytes = 0;
  field::BlockSource blocks_from = field::BlockSource::slabs;
};

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
      errors += fmt::format(
          "boundary.lower and boundary.upper of axis {} are not both periodic (a domain wraps "
          "around at both ends); make both periodic or none\n",
          a);
  }
  try {
    mesh::Geometry<D> geometry(mesh);
    if (errors.empty()) return geometry;
  } catch (const Error& error) {
    errors += error.what();
  }
  throw Error(errors);
}

/// A problem as functions of a block.
/// @errors throws Error for what does not go together, and as geometry_of
template <class Scheme, int D = Scheme::dim>
BlockProblem<D> functions_of_blocks(const Problem<Scheme>& problem, const Settings<D>& settings) {
  const auto geometry = geometry_of<D>(settings.mesh, problem.boundaries);
  if (!problem.initial)
    throw Error(
        "the problem has no initial state (there is nothing to start from); set Problem::initial");
  if (problem.rate && numerics::stages_of(problem.scheme).size() == 1)
    throw Error(
        "Problem::rate is set with a scheme of one stage (which does not evaluate it); use "
        "numerics::RungeKutta");
  if (std::ranges::any_of(problem.boundaries, numerics::is_user_defined) && !problem.outside)
    throw Error(
        "a boundary is given, but the problem does not say the states outside (nothing can come in "
        "there); set Problem::outside, or another kind of boundary");
  auto units = problem.component_units;
  units.resize(problem.component_names.size());
  return {geometry,
          step::equations_of(problem.scheme, {geometry, problem.boundaries, problem.scheme.system,
                                              settings.prolongation, problem.outside}),
          problem.initial,
          problem.source,
          problem.rate,
          problem.refined,
          problem.tag,
          problem.component_names,
          std::move(units),
          problem.derived};
}

}  // namespace thalweg::app
