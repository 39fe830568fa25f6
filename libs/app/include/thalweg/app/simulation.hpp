// SPDX-License-Identifier: MIT
#pragma once
#include <expected>
#include <memory>
#include <utility>

#include <thalweg/app/context.hpp>
#include <thalweg/app/mesh_simulation.hpp>
#include <thalweg/app/problem.hpp>
#include <thalweg/app/statistics.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/field/block_pool.hpp>

namespace thalweg::app {

/// A problem with its equations and scheme on an adaptive mesh: see MeshSimulation.
template <class Scheme>
class Simulation final : public MeshSimulation<Scheme::dim> {
 public:
  static constexpr int D = Scheme::dim;
  using Pointer = std::unique_ptr<Simulation>;

  /// Build the mesh around the initial data.
  /// @errors a Failure, on all ranks alike: for settings out of range, for a mesh that the machine
  /// has no memory for, with the cell whose initial state is inadmissible, and where a function of
  /// the problem has thrown
  static Result<Pointer> create(const Context& context, Problem<Scheme> problem,
                                const Settings<D>& settings, OnStep on_step = {}) {
    try {
      return make(context, std::move(problem), settings, nullptr, std::move(on_step));
    } catch (const Error& error) {
      return std::unexpected(Failure{error.what()});
    }
  }

  /// The same, or go on from a checkpoint, on any number of ranks, to the same bits. Tells a bad
  /// request from what failed.
  /// @param from  null: from the initial data
  /// @errors on all ranks alike: throws Error for a bad request, of settings, memory, the initial
  /// state, or the mesh or state of a checkpoint; a Failure where tags have thrown or cells cannot
  /// be read
  static Result<Pointer> make(const Context& context, Problem<Scheme> problem,
                              const Settings<D>& settings, const Checkpoint* from,
                              OnStep on_step = {}) {
    Pointer made(new Simulation(context, std::move(problem), settings, std::move(on_step)));
    const auto done = from == nullptr ? made->build_mesh() : made->read(*from);
    if (!done) return std::unexpected(done.error());
    return made;
  }

  /// See AnySetup::wanted_blocks.
  static Result<WantedBlocks> wanted_blocks(const Context& context, const Problem<Scheme>& problem,
                                            Settings<D> settings) {
    // What is on faces belongs to two blocks, so that a block's cells take all of the mesh.
    if constexpr (!numerics::FaceScheme<Scheme>)
      settings.block_source = field::BlockSource::addresses;
    return Simulation(context, problem, settings, {}).find_wanted_blocks();
  }

  /// See AnySetup::simulation_without_cells.
  static Pointer without_cells(const Context& context, const Problem<Scheme>& problem,
                               Settings<D> settings, const WantedBlocks& wanted) {
    settings.block_source = field::BlockSource::addresses;
    Pointer made(new Simulation(context, problem, settings, {}));
    made->build_without_cells(wanted);
    return made;
  }

  const Problem<Scheme>& problem() const { return problem_; }

 private:
  Simulation(const Context& context, Problem<Scheme> problem, const Settings<D>& settings,
             OnStep on_step)
      : MeshSimulation<D>(context, block_problem(problem, settings), settings, std::move(on_step)),
        problem_(std::move(problem)) {}

  Problem<Scheme> problem_;
};

}  // namespace thalweg::app
