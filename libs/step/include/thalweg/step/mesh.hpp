// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/exchange/plan/coarse.hpp>
#include <thalweg/exchange/plan/ghost.hpp>
#include <thalweg/exchange/plan/points.hpp>
#include <thalweg/exchange/plan/reflux.hpp>
#include <thalweg/exchange/plan/restrict.hpp>
#include <thalweg/exchange/plan/transfers.hpp>
#include <thalweg/field/fields.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/neighbour_info.hpp>

namespace thalweg::step {

/// How a level and the next coarser one give each other cells and fluxes.
template <int D>
struct InterfacePlans {
  exchange::CoarsePlan<D> coarse;
  exchange::RestrictPlan<D> restrict;
  exchange::RefluxPlan<D> reflux;

  bool operator==(const InterfacePlans&) const = default;
};

/// How a level exchanges an array of points on faces or at nodes.
template <int D>
struct PointPlans {
  exchange::GhostPlan<D> ghost;        ///< without ghosts: the points between blocks
  exchange::CoarsePlan<D> coarse;      ///< empty on level 0 and without ghosts
  exchange::RestrictPlan<D> restrict;  ///< to the next coarser level; empty on level 0

  bool operator==(const PointPlans&) const = default;
};

/// All plans that a step needs on one level.
template <int D>
struct LevelPlans {
  exchange::GhostPlan<D> ghost;
  std::optional<InterfacePlans<D>> interface;  ///< none on level 0
  std::vector<PointPlans<D>> points{};         ///< by array

  bool operator==(const LevelPlans&) const = default;
};

/// A forest with everything a rank works out from it once: immutable until the next regrid.
template <int D>
struct Mesh {
  mesh::Forest<D> forest;
  mesh::NeighbourInfo<D> neighbours;
  std::vector<LevelPlans<D>> plans;
  std::vector<field::PointArray> points{};  ///< the arrays on faces and at nodes

  int n_levels() const { return forest.n_levels(); }
  /// The blocks of the next finer level in a block of this rank, whoever has them, in order.
  std::span<const mesh::FineNeighbour<D>> finer_in(const mesh::Key<D>& key) const {
    if (key.level + 1 >= n_levels()) return {};
    const auto& fine = neighbours.levels[static_cast<std::size_t>(key.level)].fine_neighbours;
    const int ratio = forest.geometry.ratio(key.level);
    const auto key_of = &mesh::FineNeighbour<D>::key;
    const auto first = std::ranges::lower_bound(fine, mesh::child(key, 0, ratio), {}, key_of);
    const int n = mesh::n_children<D>(ratio);
    return {first, std::ranges::upper_bound(first, fine.end(), mesh::child(key, n - 1, ratio), {},
                                            key_of)};
  }
  /// Whether the next finer level has all children of a block of this rank.
  bool is_covered(const mesh::Key<D>& key) const {
    return key.level + 1 < n_levels() &&
           std::ssize(finer_in(key)) == mesh::n_children<D>(forest.geometry.ratio(key.level));
  }
  /// How many blocks of this rank are covered, of a level.
  std::int64_t n_covered(int level) const {
    return std::ranges::count_if(forest.level(level).keys,
                                 [&](const mesh::Key<D>& key) { return is_covered(key); });
  }
};

/// What plans depend on beside the forest.
struct PlanSettings {
  int n_ghosts = 1;
  int max_comm_tasks = 4;                   ///< messages to one neighbour and phase; 0: one a copy
  int coarse_reach = 1;                     ///< of the prolongation
  std::vector<field::PointArray> points{};  ///< arrays beside the cells

  /// What to plan for a level, or for it and the next coarser one.
  exchange::PlanOptions on(int level) const {
    return {.level = level,
            .n_ghosts = n_ghosts,
            .max_comm_tasks = max_comm_tasks,
            .coarse_reach = coarse_reach};
  }
};

namespace detail {

/// Whether all that a level's plans follow from is the same on this rank in two meshes: blocks and
/// owners of the level and the next coarser one, and what lies around them.
template <int D>
bool has_same_plans(const Mesh<D>& a, const Mesh<D>& b, int level) {
  if (level >= a.n_levels() || level >= b.n_levels()) return false;
  const auto is_same = [&](int l) {
    const mesh::LevelSet<D>&x = a.forest.level(l), &y = b.forest.level(l);
    const auto i = static_cast<std::size_t>(l);
    return x.keys == y.keys && x.directory == y.directory && x.remote_owners == y.remote_owners &&
           a.neighbours.levels[i].masks == b.neighbours.levels[i].masks;
  };
  if (level == 0) return is_same(0);
  const auto coarser = static_cast<std::size_t>(level - 1);
  return is_same(level) && is_same(level - 1) &&
         a.neighbours.levels[coarser].fine_neighbours ==
             b.neighbours.levels[coarser].fine_neighbours;
}

template <int D>
PointPlans<D> plan_points(const Mesh<D>& mesh, const field::PointArray& array,
                          exchange::PlanOptions options) {
  const auto& forest = mesh.forest;
  const auto& neighbours = mesh.neighbours;
  const auto centring = array.template centring<D>();
  options.n_ghosts = array.n_ghosts;
  options.coarse_reach = 1;
  PointPlans<D> plans{exchange::plan_ghost_points(forest, neighbours, centring, options), {}, {}};
  if (options.level == 0) return plans;
  plans.restrict = exchange::plan_restrict_points(forest, neighbours, centring, options);
  if (array.n_ghosts > 0)
    plans.coarse = exchange::plan_coarse_ghost_points(forest, neighbours, centring, options);
  return plans;
}

template <int D>
LevelPlans<D> plan_level(const Mesh<D>& mesh, int level, const PlanSettings& settings) {
  const exchange::PlanOptions options = settings.on(level);
  LevelPlans<D> plans{exchange::plan_ghost(mesh.forest, mesh.neighbours, options), std::nullopt};
  if (level > 0)
    plans.interface = {exchange::plan_coarse_ghosts(mesh.forest, mesh.neighbours, options),
                       exchange::plan_restrict(mesh.forest, mesh.neighbours, options),
                       exchange::plan_reflux(mesh.forest, mesh.neighbours, options)};
  for (const auto& array : settings.points)
    plans.points.push_back(plan_points(mesh, array, options));
  return plans;
}

}  // namespace detail

/// Learn the neighbourhoods of a forest and make its plans. Collective.
///
/// Plans of levels around which nothing changed on this rank are taken from the mesh before.
/// @param before  of the same geometry, made with the same settings; left without plans
template <int D, mesh::Collectives R>
Mesh<D> make_mesh(mesh::Forest<D> forest, const PlanSettings& settings, R&& collectives,
                  Mesh<D>* before = nullptr) {
  Mesh<D> result{std::move(forest), {}, {}, settings.points};
  result.neighbours = mesh::find_neighbour_info(result.forest, collectives);
  auto plans_before = before ? std::exchange(before->plans, {}) : std::vector<LevelPlans<D>>{};
  for (int level = 0; level < result.n_levels(); ++level) {
    if (before && detail::has_same_plans(*before, result, level))
      result.plans.push_back(std::move(plans_before[static_cast<std::size_t>(level)]));
    else
      result.plans.push_back(detail::plan_level(result, level, settings));
  }
  return result;
}

}  // namespace thalweg::step
