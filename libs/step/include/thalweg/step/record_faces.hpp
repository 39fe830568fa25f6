// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <thalweg/core/centring.hpp>
#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/exchange/emit/points.hpp>
#include <thalweg/exchange/emit/task_names.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/numerics/boundary.hpp>
#include <thalweg/numerics/constrained_transport.hpp>
#include <thalweg/numerics/copy.hpp>
#include <thalweg/step/backup.hpp>
#include <thalweg/step/face_equations.hpp>
#include <thalweg/step/mesh.hpp>
#include <thalweg/step/state.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::step {

/// Records how a field b on faces goes on by constrained transport, with a field e at nodes between
/// stages, one step for all levels. Between steps all ghost faces are filled.
///
///     e := of b at all nodes; on a coarse node that lies on a fine one, that one's;
///          between blocks, one for all
///     b -= dt curl e;   coarse faces := means of the fine ones;   fill ghost faces
///     e := half of what it is more than before, and so on: Heun's second stage
///     cells := what follows from b
///
/// As a coarse face at the end of a level gains what the fine faces on it gain, this is the flux
/// correction too.
class FaceRecorder {
 public:
  /// @param points  the faces of either axis and the nodes of all levels
  /// @param backup  where faces are put before they are advanced; null: nowhere
  FaceRecorder(flow::Recorder& recorder, std::shared_ptr<const FaceEquations> equations,
               const Mesh<2>& mesh, const std::vector<exchange::LevelData<2>>& cells,
               const PointData<2>& points, const StepBackup<2>* backup)
      : recorder_(recorder),
        equations_(std::move(equations)),
        mesh_(mesh),
        cells_(cells),
        points_(points),
        backup_(backup) {}

  /// Record setting the faces of all blocks.
  void set_faces(const SetFaces& initial, double time) {
    const auto shared = std::make_shared<const SetFaces>(initial);
    recorder_.phase("initial state", flow::PhaseKind::level);
    for_each_block("initial state", {.b = flow::Mode::out},
                   [&](int level, const mesh::Key<2>& key, const BlockViews& views) {
                     return [shared, views, &geometry = geometry(), level, time,
                             valid = geometry().cells(key)](flow::TaskContext&) {
                       (*shared)({geometry, level, time}, views.b, valid);
                     };
                   });
  }
  /// Record making the faces of all levels one, their ghosts, and the cells.
  void complete() {
    restrict_and_fill();
    recorder_.phase("cells", flow::PhaseKind::step);
    for_each_block("cells", {.b = flow::Mode::in, .cells = flow::Mode::out},
                   [&](int level, const mesh::Key<2>& key, const BlockViews& views) {
                     return [equations = equations_, views, valid = geometry().cells(key),
                             dx = geometry().cell_size(level)](flow::TaskContext&) {
                       equations->set_cells(in(views.b), views.cells, valid, dx);
                     };
                   });
  }
  /// Record a step by the dt of a time state.
  void step(const TimeState& time_state, flow::DatumId dt) {
    advance(true, time_state, dt);
    restrict_and_fill();
    advance(false, time_state, dt);
    complete();
  }

 private:
  struct BlockViews {
    numerics::FaceViews<2> b;
    View<double, 2> e;
    View<double, 2> cells;
  };
  /// What a task does to the parts of its block.
  struct Uses {
    std::optional<flow::Mode> b{}, e{}, cells{};
    std::optional<flow::DatumId> reads{};
  };
  static numerics::ConstFaceViews<2> in(const numerics::FaceViews<2>& b) { return {b[0], b[1]}; }
  static constexpr std::size_t nodes = 2;  // among points_, behind the faces
  // Where the faces of a block are kept, of either axis.
  using Room = std::array<std::optional<View<double, 2>>, nodes>;

  const mesh::Geometry<2>& geometry() const { return mesh_.forest.geometry; }
  Room room(int level, const mesh::Key<2>& key) const {
    if (backup_ == nullptr) return {};
    const auto& keys = mesh_.forest.level(level).keys;
    const auto b = static_cast<std::size_t>(std::ranges::lower_bound(keys, key) - keys.begin());
    return {backup_->points(0, level, b), backup_->points(1, level, b)};
  }
  exchange::PointBoundaryContext<2> boundary(std::size_t array) const {
    return {geometry(), equations_->boundaries(), mesh_.points[array].centring<2>()};
  }
  const PointPlans<2>& plans(int level, std::size_t array) const {
    return mesh_.plans[static_cast<std::size_t>(level)].points[array];
  }
  const exchange::LevelData<2>& data(int level, std::size_t array) const {
    return points_[array][static_cast<std::size_t>(level)];
  }

  // A task a block: make(level, key, views) is its body.
  template <class Make>
  void for_each_block(const char* name, const Uses& uses, const Make& make) {
    std::vector<flow::Access> accesses;
    for (const auto& level : cells_)
      for (std::size_t i = 0; i < level.blocks.size(); ++i) {
        const auto& cells = level.blocks[i];
        accesses.clear();
        if (uses.reads) accesses.push_back({*uses.reads, flow::Mode::in});
        if (uses.cells) accesses.push_back({cells.interior, *uses.cells});
        // All points of a block, those that others own too.
        for (std::size_t array = 0; array < points_.size(); ++array)
          if (const auto& mode = array == nodes ? uses.e : uses.b) {
            const auto& block = data(level.level, array).blocks[i];
            accesses.push_back({block.interior, *mode});
            accesses.push_back({block.ghosts, *mode});
          }
        const auto view = [&](std::size_t array) {
          return data(level.level, array).blocks[i].cells;
        };
        flow::TaskOptions options = cells.task_options();
        options.cost = 3;
        recorder_.task(name, accesses,
                       make(level.level, cells.key, {{view(0), view(1)}, view(nodes), cells.cells}),
                       options);
      }
  }

  void advance(bool is_first, const TimeState& time_state, flow::DatumId dt) {
    recorder_.phase("electric field", flow::PhaseKind::step);
    for_each_block("electric field",
                   {.b = flow::Mode::in, .e = is_first ? flow::Mode::out : flow::Mode::inout},
                   [&](int, const mesh::Key<2>&, const BlockViews& views) {
                     return [equations = equations_, views, is_first](flow::TaskContext&) {
                       equations->set_electric_field(in(views.b), views.e, is_first);
                     };
                   });
    recorder_.phase("one electric field", flow::PhaseKind::level);
    restrict(nodes);
    fill(nodes);
    recorder_.phase("advance", flow::PhaseKind::step);
    for_each_block(exchange::task_names::advance.alone,
                   {.b = flow::Mode::inout, .e = flow::Mode::in, .reads = dt},
                   [&](int level, const mesh::Key<2>& key, const BlockViews& views) {
                     return [views, &time_state, valid = geometry().cells(key),
                             dx = geometry().cell_size(level),
                             to = is_first ? room(level, key) : Room{}](flow::TaskContext&) {
                       if (time_state.is_rejected) return;
                       for (std::size_t a = 0; a < nodes; ++a)
                         if (to[a]) numerics::copy_cells<2>(views.b[a], *to[a], to[a]->box());
                       numerics::add_curl(views.b, views.e, valid, time_state.dt, dx);
                     };
                   });
  }
  void restrict_and_fill() {
    recorder_.phase("restrict", flow::PhaseKind::level);
    for (std::size_t a = 0; a < nodes; ++a) restrict(a);
    recorder_.phase("fill", flow::PhaseKind::level);
    for (std::size_t a = 0; a < nodes; ++a) fill(a);
  }
  void restrict(std::size_t array) {
    for (int l = mesh_.n_levels() - 1; l > 0; --l)
      exchange::emit_restrict_points(recorder_, mesh_.points[array].centring<2>(), data(l, array),
                                     data(l - 1, array), plans(l, array).restrict,
                                     geometry().ratio(l - 1));
  }
  void fill(std::size_t array) {
    for (int l = 0; l < mesh_.n_levels(); ++l) {
      std::optional<exchange::CoarserLevel<2>> coarser;
      if (l > 0 && mesh_.points[array].n_ghosts > 0)
        coarser.emplace(data(l - 1, array), plans(l, array).coarse);
      exchange::emit_fill(recorder_, boundary(array), data(l, array), plans(l, array).ghost,
                          coarser);
    }
  }

  flow::Recorder& recorder_;
  std::shared_ptr<const FaceEquations> equations_;
  const Mesh<2>& mesh_;
  const std::vector<exchange::LevelData<2>>& cells_;
  const PointData<2>& points_;
  const StepBackup<2>* backup_;
};

}  // namespace thalweg::step
