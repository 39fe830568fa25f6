// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/induction/kernels.hpp>

#include "record.hpp"

namespace thalweg::induction {
namespace {

constexpr numerics::Boundaries<2> all_periodic{};

FacesOut views(const std::array<exchange::BlockData<2>, 2>& block) {
  return {block[0].cells, block[1].cells};
}
FacesIn views_in(const std::array<exchange::BlockData<2>, 2>& block) {
  return {block[0].cells, block[1].cells};
}
/// All points of a block, those that others own too.
void add_all(std::vector<flow::Access>& accesses, const exchange::BlockData<2>& block,
             flow::Mode mode) {
  accesses.push_back({block.interior, mode});
  accesses.push_back({block.ghosts, mode});
}
flow::TaskOptions options_of(const exchange::BlockData<2>& block, int level) {
  return {.preferred_worker = block.preferred_worker, .level = level, .block = block.key.code};
}

/// One step in a recording.
class StepTasks {
 public:
  StepTasks(flow::Recorder& recorder, const Mesh& mesh, const Fields& fields, int n_workers)
      : recorder_(recorder),
        mesh_(mesh),
        geometry_(mesh.geometry()),
        b_(bind_faces(recorder, geometry_, fields, n_workers)) {
    for (std::size_t l = 0; l < fields.e.size(); ++l)
      e_.push_back(exchange::bind_points(recorder, geometry_, static_cast<int>(l), fields.e[l],
                                         nodes, n_workers));
  }

  const FaceData& faces_data() const { return b_; }

  void fill_faces() {
    recorder_.phase("fill faces", flow::PhaseKind::level);
    for (int l = 0; l < mesh_.n_levels(); ++l)
      for (std::size_t a = 0; a < 2; ++a) {
        const auto& plans = points(l).faces[a];
        const exchange::PointBoundaryContext<2> around{geometry_, all_periodic, faces[a]};
        std::optional<exchange::CoarserLevel<2>> coarser;
        if (l > 0) coarser.emplace(data(b_[a], l - 1), plans.coarse);
        exchange::emit_fill(recorder_, around, data(b_[a], l), plans.ghost, coarser);
      }
  }

  /// E of the field there is; in the second stage, half of what it is more than in the first.
  void electric(const Vec<2>& velocity, bool is_first) {
    recorder_.phase("electric field", flow::PhaseKind::step);
    for (int l = 0; l < mesh_.n_levels(); ++l)
      for (std::size_t i = 0; i < data(e_, l).blocks.size(); ++i) {
        const auto& e = data(e_, l).blocks[i];
        const auto b = both(b_, l, i);
        std::vector<flow::Access> accesses;
        for (const auto& of_axis : b) add_all(accesses, of_axis, flow::Mode::in);
        add_all(accesses, e, is_first ? flow::Mode::out : flow::Mode::inout);
        recorder_.task(
            "electric field", accesses,
            [from = views_in(b), to = e.cells, velocity, is_first](flow::TaskContext&) {
              for_each(to.box(), [&](const Index<2>& node) {
                const double value = electric_field(from, velocity, node);
                to[0, node] = is_first ? value : 0.5 * (value - to[0, node]);
              });
            },
            options_of(e, l));
      }
    // A coarse node on a fine one has that one's value: what a coarse face at the end of a level
    // gains is what the fine faces on it gain. Then all blocks at a node have the same.
    recorder_.phase("one electric field", flow::PhaseKind::level);
    for (int l = mesh_.n_levels() - 1; l > 0; --l)
      exchange::emit_restrict_points(recorder_, nodes, data(e_, l), data(e_, l - 1),
                                     points(l).restrict_nodes, geometry_.ratio(l - 1), 1);
    const exchange::PointBoundaryContext<2> around{geometry_, all_periodic, nodes};
    for (int l = 0; l < mesh_.n_levels(); ++l)
      exchange::emit_fill(recorder_, around, data(e_, l), points(l).shared_nodes, {});
  }

  void advance(double dt) {
    recorder_.phase("advance", flow::PhaseKind::step);
    for (int l = 0; l < mesh_.n_levels(); ++l)
      for (std::size_t i = 0; i < data(e_, l).blocks.size(); ++i) {
        const auto& e = data(e_, l).blocks[i];
        const auto b = both(b_, l, i);
        std::vector<flow::Access> accesses;
        add_all(accesses, e, flow::Mode::in);
        for (const auto& of_axis : b) add_all(accesses, of_axis, flow::Mode::inout);
        recorder_.task(
            "advance", accesses,
            [b = views(b), e = e.cells, cells = geometry_.cells(e.key), dt,
             dx = geometry_.cell_size(l)](flow::TaskContext&) { add_curl(b, e, cells, dt, dx); },
            options_of(e, l));
      }
    recorder_.phase("restrict", flow::PhaseKind::level);
    for (int l = mesh_.n_levels() - 1; l > 0; --l)
      for (std::size_t a = 0; a < 2; ++a)
        exchange::emit_restrict_points(recorder_, faces[a], data(b_[a], l), data(b_[a], l - 1),
                                       points(l).faces[a].restrict, geometry_.ratio(l - 1), 1);
  }

 private:
  const LevelPlans& points(int level) const {
    return mesh_.points[static_cast<std::size_t>(level)];
  }
  static const exchange::LevelData<2>& data(const std::vector<exchange::LevelData<2>>& levels,
                                            int level) {
    return levels[static_cast<std::size_t>(level)];
  }

  flow::Recorder& recorder_;
  const Mesh& mesh_;
  const mesh::Geometry<2>& geometry_;
  FaceData b_;
  std::vector<exchange::LevelData<2>> e_;
};

}  // namespace

void record_step(flow::Recorder& recorder, const Mesh& mesh, const Fields& fields,
                 const Vec<2>& velocity, double dt, int n_workers) {
  StepTasks tasks(recorder, mesh, fields, n_workers);
  for (const bool is_first : {true, false}) {
    tasks.fill_faces();
    tasks.electric(velocity, is_first);
    tasks.advance(dt);
  }
}

void record_look(flow::Recorder& recorder, const Mesh& mesh, const Fields& fields,
                 const Potential& exact, int n_workers) {
  StepTasks tasks(recorder, mesh, fields, n_workers);
  tasks.fill_faces();
  recorder.phase("look", flow::PhaseKind::step);
  const auto& geometry = mesh.geometry();
  for (int l = 0; l < mesh.n_levels(); ++l)
    for (std::size_t i = 0; i < fields.cells.cells[static_cast<std::size_t>(l)].size(); ++i) {
      const auto b = both(tasks.faces_data(), l, i);
      const View<double, 2> to = fields.cells.cells[static_cast<std::size_t>(l)].view(i);
      std::vector<flow::Access> accesses{{recorder.datum("cells"), flow::Mode::out}};
      for (const auto& of_axis : b) add_all(accesses, of_axis, flow::Mode::in);
      recorder.task(
          "look", accesses,
          [from = views_in(b), to, exact, dx = geometry.cell_size(l),
           lower = geometry.config().lower](flow::TaskContext&) {
            const auto potential = [&](const Index<2>& node) {
              return exact({{lower[0] + node[0] * dx[0], lower[1] + node[1] * dx[1]}});
            };
            for_each(to.box(), [&](const Index<2>& cell) {
              const Vec<2> centre = at_centre(from, cell);
              Vec<2> wanted;
              for (int a = 0; a < 2; ++a)
                wanted[a] = 0.5 * (curl_on_face(potential, a, cell, dx) +
                                   curl_on_face(potential, a, cell + Index<2>::unit(a), dx));
              to[OfCell::energy, cell] = 0.5 * dot(centre, centre);
              to[OfCell::error, cell] =
                  std::abs(centre[0] - wanted[0]) + std::abs(centre[1] - wanted[1]);
              to[OfCell::exact, cell] = std::abs(wanted[0]) + std::abs(wanted[1]);
              to[OfCell::divergence_dx, cell] = std::abs(divergence(from, cell, dx)) * dx[0];
            });
          },
          options_of(b[0], l));
    }
}

}  // namespace thalweg::induction
