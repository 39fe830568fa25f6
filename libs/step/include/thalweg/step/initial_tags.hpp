// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/exchange/emit/messages.hpp>
#include <thalweg/exchange/emit/prolong_patch.hpp>
#include <thalweg/exchange/plan/coarse.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/mesh/refine.hpp>
#include <thalweg/mesh/sort_unique.hpp>
#include <thalweg/step/cell_functions.hpp>
#include <thalweg/step/equations.hpp>
#include <thalweg/step/initial.hpp>
#include <thalweg/step/mesh.hpp>
#include <thalweg/step/regrid.hpp>

namespace thalweg::step {

/// The initial state around any block, found from its function alone: for a mesh whose cells would
/// not fit into memory. References live as long as this.
template <int D>
struct InitialCells {
  const Mesh<D>& mesh;  ///< all of it on this rank
  exchange::FillContext<D> boundary;
  const Equations<D>& equations;
  const SetCells<D>& initial;
  const CheckCells<D>& check;
  double time = 0;

  Box<D> with_ghosts(const mesh::Key<D>& key) const {
    return mesh.forest.geometry.cells(key).grown(equations.n_ghosts());
  }

  /// Set the cells of a block and its ghost cells to the bits that record_initial and record_fill
  /// give them. Says whether that is a state; where it is none no ghost cell is set.
  /// @shape cells  with_ghosts(key)   @threads any, for several blocks at once
  [[nodiscard]] bool set(const mesh::Key<D>& key, const View<double, D>& cells) const {
    const Box<D> valid = mesh.forest.geometry.cells(key);
    set_region({key, key, valid, {}}, cells);
    if (!check(cells, valid, key.level)) return false;
    const auto& plans = mesh.plans[static_cast<std::size_t>(key.level)];
    for (const auto& copy : copies_to(key, plans.ghost.transfers)) set_region(copy, cells);
    if (plans.interface) prolong(key, plans.interface->coarse, cells);
    boundary.fill_boundaries(cells, key.level);
    return true;
  }

 private:
  static std::span<const exchange::Copy<D>> copies_to(const mesh::Key<D>& key,
                                                      const exchange::Transfers<D>& transfers) {
    THALWEG_EXPECT(transfers.recvs.empty(), "all of the mesh is on this rank");
    return exchange::with_destination(transfers.locals, key, &exchange::Copy<D>::dst);
  }

  // Set what a copy would bring, as it is where it would come from.
  void set_region(const exchange::Copy<D>& copy, const View<double, D>& to) const {
    const View<double, D> there(to.data(), to.box().shifted(copy.shift), to.n_components());
    initial({mesh.forest.geometry, copy.src.level, time}, there, copy.region.shifted(copy.shift));
  }

  void prolong(const mesh::Key<D>& key, const exchange::CoarsePlan<D>& plan,
               const View<double, D>& cells) const {
    const auto found =
        exchange::with_destination(plan.patches, key, &exchange::CoarsePatch<D>::fine);
    if (found.empty()) return;
    const exchange::CoarsePatch<D>& patch = found.front();
    const auto gather = [&](const View<double, D>& coarse) {
      for (const auto& copy : copies_to(key, plan.transfers)) set_region(copy, coarse);
    };
    std::vector<std::byte> scratch(equations.scratch_bytes_prolong());
    exchange::ProlongPatch<D, decltype(gather)>{key.level, patch.patch, plan.regions_of(patch),
                                                gather}(boundary, cells, scratch);
  }
};

/// The blocks of several lists, sorted and each once.
template <int D>
std::vector<mesh::Key<D>> merged_keys(const std::vector<std::vector<mesh::Key<D>>>& lists) {
  std::vector<mesh::Key<D>> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  mesh::sort_unique(all);
  return all;
}

/// Blocks of a level, and those that the tags around the initial state on them ask for. While a
/// mesh grows level by level, these stay the same where those do: tags see no finer level.
template <int D>
struct TaggedLevel {
  std::vector<mesh::Key<D>> blocks, wanted;
};

/// Record naming the blocks of finer levels that the tags around the initial state of one level ask
/// for, one task a block; of a block without such a state, none. Each worker has memory for the
/// cells of a block.
///
/// @param n_workers  of the executor
/// @param initial    lives as long as the recording and its graph, as all references here
/// @param tag_block  sets some of a block's tags, which are 0 before, to 1
/// @param buffer     cells around a tag that are refined with it
/// @param wanted     gets a list for each task, filled in when the graph runs: see merged_keys()
/// @pre the level is not the finest that there may be
template <int D>
void record_wanted_at_start(flow::Recorder& recorder, const InitialCells<D>& initial,
                            const SetTags<D>& tag_block, int buffer, int n_workers, int level,
                            std::vector<std::vector<mesh::Key<D>>>& wanted) {
  const mesh::Geometry<D>& geometry = initial.mesh.forest.geometry;
  const auto& keys = initial.mesh.forest.level(level).keys;
  wanted.assign(keys.size(), {});
  const auto memory =
      std::make_shared<std::vector<std::vector<double>>>(static_cast<std::size_t>(n_workers));
  recorder.phase("tag the initial state", flow::PhaseKind::level);
  auto to = wanted.begin();
  for (const mesh::Key<D>& key : keys)
    recorder.task("tag", std::span<const flow::Access>{},
                  [&initial, &tag_block, &geometry, buffer, memory, key,
                   &found = *to++](flow::TaskContext& context) {
                    const int n = initial.equations.n_components();
                    const Box<D> valid = geometry.cells(key), box = initial.with_ghosts(key);
                    std::vector<double>& values = (*memory)[context.worker()];
                    values.resize(View<double, D>::size_of(box, n));
                    const View<double, D> cells(values.data(), box, n);
                    if (!initial.set(key, cells)) return;
                    std::vector<std::uint8_t> tags(View<std::uint8_t, D>::size_of(valid, 1));
                    const View<std::uint8_t, D> of_cells(tags.data(), valid, 1);
                    tag_block({geometry, key.level, initial.time}, cells, valid, of_cells);
                    found = mesh::wanted_children<D>(geometry, key, of_cells, buffer);
                  },
                  {.level = level, .block = key.code});
}

}  // namespace thalweg::step
