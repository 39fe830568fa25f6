// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include <thalweg/core/centring.hpp>
#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/exchange/emit/points.hpp>
#include <thalweg/exchange/plan/points.hpp>
#include <thalweg/field/level_field.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/step/mesh.hpp>
#include <thalweg/step/state.hpp>

namespace thalweg::induction {

inline constexpr int n_ghosts = 2;  ///< what a limited slope beyond a face reads
inline constexpr int n_of_cell = 4;
/// What is kept of a cell, to be looked at.
struct OfCell {
  enum : int { energy, error, exact, divergence_dx };
};

inline constexpr Centring<2> nodes = Centring<2>::node();
inline constexpr std::array<Centring<2>, 2> faces{Centring<2>::face(0), Centring<2>::face(1)};

/// How the faces of one axis are exchanged.
struct FacePlans {
  exchange::GhostPlan<2> ghost;
  exchange::CoarsePlan<2> coarse;      ///< empty on level 0
  exchange::RestrictPlan<2> restrict;  ///< likewise
};

/// How a level exchanges points.
struct LevelPlans {
  std::array<FacePlans, 2> faces;
  exchange::GhostPlan<2> shared_nodes;  ///< those between blocks, no ghosts
  exchange::RestrictPlan<2> restrict_nodes;
};

struct Mesh {
  step::Mesh<2> cells;
  std::vector<LevelPlans> points;

  const mesh::Geometry<2>& geometry() const { return cells.forest.geometry; }
  int n_levels() const { return cells.n_levels(); }
};

inline exchange::PlanOptions options(int level) {
  return {.level = level, .n_ghost = n_ghosts, .max_comm_tasks = 4};
}

/// Collective.
template <class Exchange>
Mesh make_mesh(mesh::Forest<2> forest, Exchange&& exchange) {
  Mesh mesh{step::make_mesh<2>(std::move(forest), {}, exchange), {}};
  const auto& [of_cells, neighbours, unused] = mesh.cells;
  for (int l = 0; l < mesh.n_levels(); ++l) {
    exchange::PlanOptions between = options(l);
    between.n_ghost = 0;
    LevelPlans plans;
    plans.shared_nodes = exchange::plan_ghost_points(of_cells, neighbours, nodes, between);
    if (l > 0)
      plans.restrict_nodes = exchange::plan_restrict_points(of_cells, neighbours, nodes, between);
    for (std::size_t a = 0; a < 2; ++a) {
      plans.faces[a].ghost =
          exchange::plan_ghost_points(of_cells, neighbours, faces[a], options(l));
      if (l == 0) continue;
      plans.faces[a].coarse =
          exchange::plan_coarse_ghost_points(of_cells, neighbours, faces[a], options(l));
      plans.faces[a].restrict =
          exchange::plan_restrict_points(of_cells, neighbours, faces[a], options(l));
    }
    mesh.points.push_back(std::move(plans));
  }
  return mesh;
}

/// Where the memory of all fields comes from.
struct Pools {
  explicit Pools(const mesh::Geometry<2>& g)
      : faces{field::BlockPool(size(g, n_ghosts, 1, induction::faces[0])),
              field::BlockPool(size(g, n_ghosts, 1, induction::faces[1]))},
        nodes(size(g, 0, 1, induction::nodes)),
        cells{field::BlockPool(size(g, 0, n_of_cell, {})), field::BlockPool(1)} {}

  static std::size_t size(const mesh::Geometry<2>& g, int n_around, int n_components,
                          const Centring<2>& centring) {
    return field::LevelField<2>::block_size(g.block_cells(), n_around, n_components, centring);
  }

  std::array<field::BlockPool, 2> faces;
  field::BlockPool nodes;
  step::Pools cells;
};

/// All blocks of this rank, by level: B on faces, E at nodes, and what is looked at in cells.
struct Fields {
  std::array<std::vector<field::LevelField<2>>, 2> b;
  std::vector<field::LevelField<2>> e;
  step::State<2> cells;
};

/// Take memory for all blocks of a mesh; faces that a state before had here are taken over.
inline Fields make_fields(const Mesh& mesh, Pools& pools, Fields& before) {
  Fields fields;
  const auto& g = mesh.geometry();
  for (int l = 0; l < mesh.n_levels(); ++l) {
    const auto& keys = mesh.cells.forest.level(l).keys;
    for (std::size_t a = 0; a < 2; ++a) {
      field::LevelField<2> nothing;
      const bool had = static_cast<std::size_t>(l) < before.b[a].size();
      fields.b[a].emplace_back(g, keys, n_ghosts, 1, pools.faces[a],
                               had ? before.b[a][static_cast<std::size_t>(l)] : nothing, faces[a]);
    }
    fields.e.emplace_back(g, keys, 0, 1, pools.nodes, nodes);
  }
  fields.cells = step::make_state(mesh.cells, 0, n_of_cell, pools.cells);
  return fields;
}

/// The faces of all levels in a recording, by axis and level.
using FaceData = std::array<std::vector<exchange::LevelData<2>>, 2>;

inline FaceData bind_faces(flow::Recorder& recorder, const mesh::Geometry<2>& geometry,
                           const Fields& fields, int n_workers) {
  FaceData data;
  for (std::size_t a = 0; a < 2; ++a)
    for (std::size_t l = 0; l < fields.b[a].size(); ++l)
      data[a].push_back(exchange::bind_points(recorder, geometry, static_cast<int>(l),
                                              fields.b[a][l], faces[a], n_workers));
  return data;
}

/// The same block's data of both axes.
inline std::array<exchange::BlockData<2>, 2> both(const FaceData& b, int level, std::size_t i) {
  const auto l = static_cast<std::size_t>(level);
  return {b[0][l].blocks[i], b[1][l].blocks[i]};
}

}  // namespace thalweg::induction
