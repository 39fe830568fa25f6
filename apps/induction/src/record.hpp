// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include <thalweg/core/vec.hpp>
#include <thalweg/exchange/plan/move.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>

#include "fields.hpp"

namespace thalweg::induction {

/// The vector potential of the field to compare with, anywhere in the domain.
using Potential = std::function<double(const Vec<2>&)>;

/// Record one step of all levels by dt: two stages of Heun's method.
void record_step(flow::Recorder& recorder, const Mesh& mesh, const Fields& fields,
                 const Vec<2>& velocity, double dt, int n_workers);

/// Record making the faces between blocks one, and what is kept of each cell.
void record_look(flow::Recorder& recorder, const Mesh& mesh, const Fields& fields,
                 const Potential& exact, int n_workers);

/// What a rank learned, with others, about the blocks of one level that a regrid made.
struct Renewal {
  exchange::MovePlan<2> move;
  std::array<exchange::CoarsePlan<2>, 2> coarse;  ///< for new blocks, by axis; empty on level 0
  std::array<exchange::GhostPlan<2>, 2> kept;
};

/// Plan how fields come from one mesh to the next. Collective.
template <class Exchange>
std::vector<Renewal> plan_renewal(const Mesh& before, const Mesh& after, Exchange&& exchange) {
  const auto& forest = after.cells.forest;
  const auto& neighbours = after.cells.neighbours;
  const auto claims = exchange::exchange_claims(before.cells.forest, forest, exchange);
  std::vector<Renewal> levels;
  for (int l = 0; l < after.n_levels(); ++l) {
    Renewal r;
    r.move = exchange::plan_move(before.cells.forest, forest, claims, options(l));
    const auto asked =
        exchange(exchange::send_new_blocks<2>(forest, r.move.new_blocks, options(l)));
    const auto told =
        exchange(exchange::send_new_neighbours<2>(forest, neighbours, r.move.new_blocks));
    for (std::size_t a = 0; a < 2; ++a) {
      r.kept[a] = exchange::plan_kept_points(forest, neighbours, told, faces[a], options(l));
      if (l > 0)
        r.coarse[a] = exchange::plan_coarse_interior_points<2>(forest, r.move.new_blocks, asked,
                                                               faces[a], options(l));
    }
    levels.push_back(std::move(r));
  }
  return levels;
}

/// Record filling the fields of a mesh from those of the one before: blocks that stay are moved to
/// their new owners; the faces of new ones are interpolated, coarsest level first, so that no cell
/// gets a divergence.
void record_renewal(flow::Recorder& recorder, const Mesh& before, const Fields& old_fields,
                    const Mesh& after, const Fields& fields, const std::vector<Renewal>& renewal,
                    int n_workers);

}  // namespace thalweg::induction
