// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <thalweg/exchange/plan/coarse.hpp>
#include <thalweg/exchange/plan/ghost.hpp>
#include <thalweg/exchange/plan/reflux.hpp>
#include <thalweg/exchange/plan/restrict.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/neighbourhood.hpp>

namespace thalweg::step {

/// How a level and the next coarser one give each other cells and fluxes.
template <int D>
struct InterfacePlans {
  exchange::CoarsePlan<D> coarse;
  exchange::RestrictPlan<D> restrict;
  exchange::RefluxPlan<D> reflux;
};

/// All plans that a step needs on one level.
template <int D>
struct LevelPlans {
  exchange::GhostPlan<D> ghost;
  std::optional<InterfacePlans<D>> interface;  ///< none on level 0
};

/// A forest with everything a rank works out from it once: immutable until the next regrid.
template <int D>
struct Mesh {
  mesh::Forest<D> forest;
  mesh::Neighbourhoods<D> near;
  std::vector<LevelPlans<D>> plans;

  int n_levels() const { return forest.n_levels(); }
};

/// What plans depend on beside the forest.
struct PlanSettings {
  int n_ghosts = 1;
  int max_comm_tasks = 4;  ///< messages to one neighbour and phase; 0: one a face
  int coarse_reach = 1;    ///< of the prolongation
};

/// Learn the neighbourhoods of a forest and make its plans. Collective.
/// @param exchange  one round of messages, see mesh/messages.hpp
template <int D, class Exchange>
Mesh<D> make_mesh(mesh::Forest<D> forest, const PlanSettings& settings, Exchange&& exchange) {
  Mesh<D> result{std::move(forest), {}, {}};
  result.near = mesh::find_neighbourhoods(result.forest, exchange);
  for (int level = 0; level < result.n_levels(); ++level) {
    const exchange::PlanOptions options{level, settings.n_ghosts, settings.max_comm_tasks,
                                        settings.coarse_reach};
    LevelPlans<D> plans{exchange::plan_ghost(result.forest, result.near, options), std::nullopt};
    if (level > 0)
      plans.interface = {exchange::plan_coarse_ghosts(result.forest, result.near, options),
                         exchange::plan_restrict(result.forest, result.near, options),
                         exchange::plan_reflux(result.forest, result.near, options)};
    result.plans.push_back(std::move(plans));
  }
  return result;
}

}  // namespace thalweg::step
