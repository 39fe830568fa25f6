// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include <thalweg/exchange/emit/move.hpp>
#include <thalweg/numerics/prolong_divergence_free.hpp>

#include "record.hpp"

namespace thalweg::induction {
namespace {

// In the graph of a regrid a block's interior stands for all of its faces: nothing fills ghosts.

void record_inner_faces(flow::Recorder& recorder, const mesh::Geometry<2>& geometry,
                        const FaceData& b, int level, const std::vector<mesh::Key<2>>& new_blocks) {
  const auto& of_level = b[0][static_cast<std::size_t>(level)].blocks;
  for (std::size_t i = 0; i < of_level.size(); ++i) {
    if (!std::ranges::binary_search(new_blocks, of_level[i].key)) continue;
    const auto block = both(b, level, i);
    recorder.task("inner faces",
                  std::vector<flow::Access>{{block[0].interior, flow::Mode::inout},
                                            {block[1].interior, flow::Mode::inout}},
                  [views = numerics::FaceViews<2>{block[0].cells, block[1].cells},
                   cells = geometry.cells(block[0].key).coarsened(2),
                   dx = geometry.cell_size(level)](flow::TaskContext&) {
                    numerics::prolong_divergence_free<2>(views, cells, dx);
                  },
                  {.preferred_worker = block[0].preferred_worker,
                   .level = level,
                   .block = block[0].key.code});
  }
}

}  // namespace

void record_renewal(flow::Recorder& recorder, const Mesh& before, const Fields& old_fields,
                    const Mesh& after, const Fields& fields, const std::vector<Renewal>& renewal,
                    int n_workers) {
  const auto& geometry = after.geometry();
  auto old_b = bind_faces(recorder, before.geometry(), old_fields, n_workers);
  const auto b = bind_faces(recorder, geometry, fields, n_workers);
  for (std::size_t l = 0; l < renewal.size(); ++l) {
    const int level = static_cast<int>(l);
    for (std::size_t a = 0; a < 2; ++a) {
      recorder.phase("move level " + std::to_string(l), flow::PhaseKind::level);
      if (l == old_b[a].size()) old_b[a].push_back({level, {}});
      exchange::emit_move(recorder, old_b[a][l], b[a][l],
                          exchange::move_points(renewal[l].move, faces[a]), 1);
      if (l == 0) continue;
      const exchange::PointBoundaryContext<2> around{geometry, {}, faces[a]};
      recorder.phase("prolong level " + std::to_string(l), flow::PhaseKind::level);
      exchange::emit_prolong(recorder, around, b[a][l], b[a][l - 1], renewal[l].coarse[a]);
      recorder.phase("keep level " + std::to_string(l), flow::PhaseKind::level);
      exchange::emit_into_interiors(recorder, "keep", b[a][l], renewal[l].kept[a].transfers, level,
                                    1, exchange::FromInterior<2>{b[a][l]});
    }
    recorder.phase("inner faces", flow::PhaseKind::step);
    record_inner_faces(recorder, geometry, b, level, renewal[l].move.new_blocks);
  }
}

}  // namespace thalweg::induction
