// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/exchange/emit/gather.hpp>
#include <thalweg/exchange/emit/move.hpp>
#include <thalweg/exchange/emit/points.hpp>
#include <thalweg/exchange/emit/restrict.hpp>
#include <thalweg/exchange/plan/move.hpp>
#include <thalweg/exchange/plan/points.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/mesh/refine.hpp>
#include <thalweg/mesh/sort_unique.hpp>
#include <thalweg/numerics/prolong_divergence_free.hpp>
#include <thalweg/step/cell_functions.hpp>
#include <thalweg/step/fill_levels.hpp>
#include <thalweg/step/state.hpp>

namespace thalweg::step {

/// The tags that a graph sets when it runs: one byte a cell, block after block, of each level.
using Tags = std::vector<flow::Data<std::uint8_t>>;

/// The tags of one block of a level.
/// @param n_blocks  of the level on this rank
inline std::span<std::uint8_t> tags_of(const flow::Data<std::uint8_t>& level, std::size_t block,
                                       std::size_t n_blocks) {
  const std::size_t n_cells = level.view().size() / n_blocks;
  return level.view().subspan(block * n_cells, n_cells);
}

/// Record tagging the cells of all levels that may be refined, ghost cells filled for it.
///
/// @param tag_block  sets some of a block's tags, which are 0 before, to 1
/// @param time       at which the cells are looked at
template <int D>
Tags record_tags(flow::Recorder& recorder,
                 const std::type_identity_t<exchange::FillContext<D>>& boundary,
                 const Mesh<D>& mesh, const std::vector<exchange::LevelData<D>>& levels,
                 const std::type_identity_t<SetTags<D>>& tag_block, double time) {
  Tags tags;
  // One for all tasks: what it holds may take heap calls to copy.
  const auto shared = std::make_shared<const SetTags<D>>(tag_block);
  const int n_tagged = std::min(mesh.n_levels(), mesh.forest.geometry.max_level());
  for (int l = 0; l < n_tagged; ++l) {
    const auto& level = levels[static_cast<std::size_t>(l)];
    record_fill_level(recorder, boundary, mesh, levels, static_cast<std::size_t>(l));
    recorder.phase("tag level " + std::to_string(l), flow::PhaseKind::step);
    const std::size_t n_blocks = level.blocks.size();
    const Box<D> block_cells{{}, mesh.forest.geometry.block_cells()};
    tags.push_back(recorder.data<std::uint8_t>(
        "tags", n_blocks * static_cast<std::size_t>(block_cells.n_cells())));
    for (std::size_t b = 0; b < n_blocks; ++b) {
      const auto& block = level.blocks[b];
      recorder.task(
          "tag",
          std::array{flow::Access{block.interior, flow::Mode::in},
                     flow::Access{block.ghosts, flow::Mode::in},
                     flow::Access{recorder.datum("tags"), flow::Mode::out}},
          [shared, &geometry = mesh.forest.geometry, l, time, cells = block.cells,
           valid = block.valid, to = tags_of(tags.back(), b, n_blocks)](flow::TaskContext&) {
            std::ranges::fill(to, std::uint8_t{0});
            (*shared)({geometry, l, time}, cells, valid,
                      View<std::uint8_t, D>(to.data(), valid, 1));
          },
          block.task_options());
    }
  }
  return tags;
}

/// Name the blocks of finer levels that the tags of this rank's blocks ask for, sorted.
template <int D>
std::vector<mesh::Key<D>> wanted_blocks(const mesh::Forest<D>& forest, const Tags& tags,
                                        const mesh::Buffers& buffers) {
  std::vector<mesh::Key<D>> wanted;
  for (std::size_t l = 0; l < tags.size(); ++l) {
    const int buffer = buffers.of(static_cast<int>(l));
    const auto& keys = forest.level(static_cast<int>(l)).keys;
    for (std::size_t b = 0; b < keys.size(); ++b) {
      const View<const std::uint8_t, D> of_block(tags_of(tags[l], b, keys.size()).data(),
                                                 forest.geometry.cells(keys[b]), 1);
      const auto children = mesh::wanted_children(forest.geometry, keys[b], of_block, buffer);
      wanted.insert(wanted.end(), children.begin(), children.end());
    }
  }
  mesh::sort_unique(wanted);
  return wanted;
}

/// Record changing the cells of new blocks of a level where they are.
template <int D>
void record_refined(flow::Recorder& recorder, const Mesh<D>& mesh,
                    const exchange::LevelData<D>& level,
                    const std::vector<mesh::Key<D>>& new_blocks, const SetCells<D>& refined,
                    double time) {
  const auto shared = std::make_shared<const SetCells<D>>(refined);
  recorder.phase("new cells level " + std::to_string(level.level), flow::PhaseKind::step);
  for (const auto& block : level.blocks) {
    if (!std::ranges::binary_search(new_blocks, block.key)) continue;
    recorder.task(
        "new cells", std::array{flow::Access{block.interior, flow::Mode::inout}},
        [shared, &geometry = mesh.forest.geometry, l = level.level, time, cells = block.cells,
         valid = block.valid](flow::TaskContext&) { (*shared)({geometry, l, time}, cells, valid); },
        block.task_options());
  }
}

namespace detail {

// In the graph of a regrid a block's interior stands for all of its faces: nothing fills ghosts.
template <int D>
void record_inner_faces(flow::Recorder& recorder, const mesh::Geometry<D>& geometry,
                        const std::array<const exchange::LevelData<D>*, D>& faces, int level,
                        const std::vector<mesh::Key<D>>& new_blocks) {
  recorder.phase("inner faces", flow::PhaseKind::step);
  for (std::size_t i = 0; i < faces[0]->blocks.size(); ++i) {
    const auto& first = faces[0]->blocks[i];
    if (!std::ranges::binary_search(new_blocks, first.key)) continue;
    std::vector<flow::Access> accesses;
    numerics::FaceViews<D> views;
    for (std::size_t a = 0; a < D; ++a) {
      views[a] = faces[a]->blocks[i].cells;
      accesses.push_back({faces[a]->blocks[i].interior, flow::Mode::inout});
    }
    recorder.task(
        "inner faces", accesses,
        [views, cells = geometry.cells(first.key).coarsened(2), dx = geometry.cell_size(level)](
            flow::TaskContext&) { numerics::prolong_divergence_free<D>(views, cells, dx); },
        first.task_options());
  }
}

// What record_move does with points, coarsest level first.
template <int D, mesh::Collectives R>
void record_move_points(flow::Recorder& recorder, const Mesh<D>& old_mesh,
                        const State<D>& old_state, const Mesh<D>& new_mesh,
                        const State<D>& new_state, const mesh::Messages<exchange::Claim<D>>& claims,
                        int n_workers, const PlanSettings& settings, R& collectives) {
  const mesh::Forest<D>& forest = new_mesh.forest;
  auto before = bind_points(recorder, old_mesh, old_state, n_workers);
  const auto after = bind_points(recorder, new_mesh, new_state, n_workers);
  for (int l = 0; l < new_mesh.n_levels(); ++l) {
    const auto index = static_cast<std::size_t>(l);
    exchange::PlanOptions options{.level = l, .max_comm_tasks = settings.max_comm_tasks};
    const auto move = exchange::plan_move(old_mesh.forest, forest, claims, options);
    const auto asked =
        collectives.exchange(exchange::send_new_blocks<D>(forest, move.new_blocks, options));
    const auto told = collectives.exchange(
        exchange::send_new_neighbours<D>(forest, new_mesh.neighbours, move.new_blocks));
    std::array<const exchange::LevelData<D>*, D> faces{};
    for (std::size_t array = 0; array < after.size(); ++array) {
      const field::PointArray& points = new_mesh.points[array];
      if (points.is_derived) continue;
      const auto centring = points.template centring<D>();
      options.n_ghosts = points.n_ghosts;
      recorder.phase("move level " + std::to_string(l), flow::PhaseKind::level);
      if (index == before[array].size()) before[array].push_back({l, {}});
      exchange::emit_move(recorder, before[array][index], after[array][index],
                          exchange::move_points(move, centring), 1);
      if (points.place == field::Place::faces)
        faces[static_cast<std::size_t>(points.axis)] = &after[array][index];
      if (l == 0) continue;
      const exchange::PointBoundaryContext<D> boundary{forest.geometry, {}, centring};
      recorder.phase("prolong level " + std::to_string(l), flow::PhaseKind::level);
      exchange::emit_prolong(recorder, boundary, after[array][index], after[array][index - 1],
                             exchange::plan_coarse_interior_points<D>(forest, move.new_blocks,
                                                                      asked, centring, options));
      recorder.phase("keep level " + std::to_string(l), flow::PhaseKind::level);
      const auto kept =
          exchange::plan_old_points(forest, new_mesh.neighbours, told, centring, options);
      exchange::emit_into_interiors(recorder, "keep", after[array][index], kept.transfers, l, 1,
                                    exchange::FromInterior<D>{after[array][index]});
    }
    if constexpr (D > 1)
      if (faces[0] != nullptr)
        record_inner_faces<D>(recorder, forest.geometry, faces, l, move.new_blocks);
  }
}

}  // namespace detail

/// Record filling a new state from an old one: blocks that stay are moved to their new owners, new
/// blocks are interpolated from the coarser level, coarsest first. Collective.
///
/// So are points: what kept neighbours of a new block have on the faces between is its own as well,
/// and faces inside coarse cells follow, so that no cell gets a divergence. Derived ones are left.
/// @pre             where there are points the ratio is 2
/// @param refined   changes the cells of new blocks after they were interpolated; may be none
/// @param time      at which it is asked
template <int D, mesh::Collectives R>
void record_move(flow::Recorder& recorder,
                 const std::type_identity_t<exchange::FillContext<D>>& boundary,
                 const Mesh<D>& old_mesh, const State<D>& old_state, const Mesh<D>& new_mesh,
                 const State<D>& new_state, int n_workers, const PlanSettings& settings,
                 const std::type_identity_t<SetCells<D>>& refined, double time, R&& collectives) {
  auto before = bind(recorder, old_mesh, old_state, n_workers);
  const auto after = bind(recorder, new_mesh, new_state, n_workers);
  while (before.size() < after.size()) before.push_back({static_cast<int>(before.size()), {}});

  const auto claims = exchange::exchange_claims(old_mesh.forest, new_mesh.forest, collectives);
  for (int l = 0; l < new_mesh.n_levels(); ++l) {
    const auto index = static_cast<std::size_t>(l);
    const exchange::PlanOptions options = settings.on(l);
    const auto plan = exchange::plan_move(old_mesh.forest, new_mesh.forest, claims, options);
    recorder.phase("move level " + std::to_string(l), flow::PhaseKind::level);
    exchange::emit_move(recorder, before[index], after[index], plan, boundary.n_components());
    if (l == 0) {
      THALWEG_ASSERT(plan.new_blocks.empty(), "level 0 never changes");
      continue;
    }
    const auto asked = collectives.exchange(
        exchange::send_new_blocks<D>(new_mesh.forest, plan.new_blocks, options));
    const auto interior =
        exchange::plan_coarse_interior<D>(new_mesh.forest, plan.new_blocks, asked, options);
    recorder.phase("prolong level " + std::to_string(l), flow::PhaseKind::level);
    exchange::emit_prolong(recorder, boundary, after[index], after[index - 1], interior);
    if (refined) record_refined(recorder, new_mesh, after[index], plan.new_blocks, refined, time);
  }
  if (!new_mesh.points.empty())
    detail::record_move_points(recorder, old_mesh, old_state, new_mesh, new_state, claims,
                               n_workers, settings, collectives);
}

}  // namespace thalweg::step
