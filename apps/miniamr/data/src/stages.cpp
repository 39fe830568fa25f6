// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/data/stages.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/miniamr/data/exchange.hpp>
#include <thalweg/miniamr/data/sweep.hpp>

#include "around.hpp"

namespace thalweg::miniamr::data {
namespace {

using flow::Access;
using flow::Mode;

constexpr std::array<const char*, 3> exchange_names{"exchange x", "exchange y", "exchange z"};
constexpr std::array<std::array<int, 3>, 6> orders{
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

std::size_t largest_plane(const Shape& shape) {
  return static_cast<std::size_t>(
      std::max({shape.plane(0).size(), shape.plane(1).size(), shape.plane(2).size()}));
}
/// Numbers a sweep needs of scratch, rounded up so that what follows is aligned.
std::size_t sweep_scratch(const Shape& shape) {
  return (scratch_bytes_sweep(shape) + 63) / 64 * 64;
}

/// What the tasks of a group share; kept by each of them.
struct GroupTasks {
  Shape shape;
  Stencil stencil;
  Group group;
  std::array<std::unique_ptr<const FaceSet>, 2> sets;
  std::span<CellSum> sums;  ///< by block, then by variable of the group

  /// Sweep a block, from one set of faces to the other.
  void sweep(BlockMemory memory, std::size_t block, int set, bool sums_up,
             std::span<std::byte> scratch) const {
    auto* const planes = reinterpret_cast<double*>(scratch.data() + sweep_scratch(shape));
    const std::size_t plane_size = largest_plane(shape);
    for (int v = 0; v < group.n; ++v) {
      Swept swept{.cells = memory.cells(group.first + v)};
      for (int face = 0; face < 6; ++face) {
        const auto f = static_cast<std::size_t>(face);
        swept.ghosts[f] = ghost_plane(shape.plane(face / 2), sets[index(set)]->parts(block, face),
                                      v, planes + plane_size * f);
        swept.faces[f] = memory.face(1 - set, face, group.first + v);
      }
      stencil == Stencil::seven ? sweep_7(shape, swept, scratch) : sweep_27(shape, swept, scratch);
      if (sums_up)
        sums[block * index(group.n) + index(v)] =
            sum_of_cells({swept.cells, index(shape.n_cells())});
    }
  }
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
};

/// Put the ghost cells that came across x into the faces across y, and those of x and y into the
/// faces across z, for the neighbours' edges and corners.
void fill_border(const GroupTasks& tasks, BlockMemory memory, std::size_t block, int set, int axis,
                 std::span<std::byte> scratch) {
  const auto [nx, ny, nz] = tasks.shape.n;
  auto* const buffer = reinterpret_cast<double*>(scratch.data());
  const std::size_t plane_size = largest_plane(tasks.shape);
  const FaceSet& faces = *tasks.sets[GroupTasks::index(set)];
  for (int v = 0; v < tasks.group.n; ++v) {
    const auto ghosts = [&](int face) {
      return ghost_plane(tasks.shape.plane(face / 2), faces.parts(block, face), v,
                         buffer + plane_size * GroupTasks::index(face));
    };
    const double* const low = ghosts(0);
    const double* const high = ghosts(1);
    for (const int side : {0, 1}) {
      double* const to = memory.face(set, 2 * axis + side, tasks.group.first + v);
      if (axis == 1) {
        const int j = side == 0 ? 0 : ny - 1;
        for (int k = 0; k < nz; ++k) {
          to[(nx + 2) * k] = low[j + ny * k];
          to[(nx + 2) * k + nx + 1] = high[j + ny * k];
        }
        continue;
      }
      const int k = side == 0 ? 0 : nz - 1;
      for (int j = 0; j < ny; ++j) {
        to[(nx + 2) * (j + 1)] = low[j + ny * k];
        to[(nx + 2) * (j + 1) + nx + 1] = high[j + ny * k];
      }
      std::copy_n(ghosts(2) + (nx + 2) * k, nx + 2, to);
      std::copy_n(ghosts(3) + (nx + 2) * k, nx + 2, to + (nx + 2) * (ny + 1));
    }
  }
}

class TimestepRecorder {
 public:
  TimestepRecorder(flow::Recorder& recorder, const StageSettings& settings, const Layout& layout,
                   const Store& store, Checksums& checksums)
      : recorder_(recorder),
        settings_(settings),
        layout_(layout),
        store_(store),
        checksums_(checksums) {
    const Shape& shape = store.shape();
    std::array<FaceExchange, 3> exchanges;
    for (int axis = 0; axis < 3; ++axis)
      exchanges[static_cast<std::size_t>(axis)] =
          plan_exchange(shape, layout, recorder.rank(), axis, settings.max_comm_tasks);
    for (const Group group : groups_of(shape.n_vars, settings.group_size)) {
      auto tasks = std::make_shared<GroupTasks>(shape, settings.stencil, group);
      for (const int set : {0, 1})
        tasks->sets[static_cast<std::size_t>(set)] =
            std::make_unique<const FaceSet>(recorder, store, layout, exchanges, group, set);
      const auto sums =
          recorder.data<CellSum>("sums of cells", store.size() * static_cast<std::size_t>(group.n));
      tasks->sums = sums.view();
      groups_.push_back({std::move(tasks), {}, sums.datum(), recorder.datum("last sums")});
      for (std::size_t b = 0; b < store.size(); ++b)
        groups_.back().cells.push_back(recorder.datum("cells"));
    }
    for (const Block& block : layout.blocks) {
      const auto is_far = [&](const auto& leaf) { return leaf.owner != recorder.rank(); };
      bool any = false;
      for (const auto& leaves : block.faces) any = any || std::ranges::any_of(leaves, is_far);
      is_at_edge_.push_back(any);
    }
  }

  void record() {
    for (int stage = 0; stage < settings_.n_stages; ++stage)
      for (const GroupData& group : groups_) record_stage(group, stage);
    if (settings_.n_stages % 2 != 0)
      for (const GroupData& group : groups_) record_turn(group);
  }

 private:
  struct GroupData {
    std::shared_ptr<GroupTasks> tasks;
    std::vector<flow::DatumId> cells;  ///< by block
    flow::DatumId sums;
    flow::DatumId last_sums;
  };

  flow::TaskOptions options(std::size_t block, int priority = 0) const {
    const auto& key = store_.key(block);
    return {.priority = priority,
            .home_worker = static_cast<std::uint32_t>(block * settings_.n_workers / store_.size()),
            .level = key.level,
            .block = key.code};
  }

  void record_stage(const GroupData& group, int stage) {
    const int set = stage % 2;
    const FaceSet& faces = *group.tasks->sets[static_cast<std::size_t>(set)];
    const bool has_corners = store_.shape().has_corners;
    // With corners each direction carries what came with those before.
    const auto& order = orders[settings_.permutes && !has_corners ? stage % 6 : 0];
    auto kind = flow::PhaseKind::level;
    for (const int axis : order) {
      recorder_.phase(exchange_names[static_cast<std::size_t>(axis)],
                      std::exchange(kind, flow::PhaseKind::step));
      if (has_corners && axis > 0) record_borders(group, set, axis);
      record_messages(faces, axis);
    }
    recorder_.phase("stencil", flow::PhaseKind::step);
    const bool sums_up = settings_.checksum_freq > 0 && stage % settings_.checksum_freq == 0;
    for (std::size_t b = 0; b < store_.size(); ++b) record_sweep(group, b, set, sums_up);
    if (sums_up) record_check(group, stage);
  }

  void record_messages(const FaceSet& faces, int axis) {
    const flow::TaskOptions urgent{.priority = 2};
    for (const Incoming& message : faces.incoming(axis))
      recorder_.recv(message.datum, std::as_writable_bytes(message.values), message.peer, urgent);
    for (const Outgoing& message : faces.outgoing(axis)) {
      if (message.packing != nullptr)
        recorder_.task(
            "pack", message.packed,
            [packing = message.packing](flow::TaskContext&) { (*packing)(); }, urgent);
      recorder_.send(message.access, std::as_bytes(message.values), message.peer, urgent);
    }
  }

  void record_borders(const GroupData& group, int set, int axis) {
    const FaceSet& faces = *group.tasks->sets[static_cast<std::size_t>(set)];
    for (std::size_t b = 0; b < store_.size(); ++b) {
      std::vector<Access> accesses{{faces.faces(b, axis), Mode::inout}};
      for (int before = 0; before < axis; ++before) faces.add_sources(b, before, accesses);
      recorder_.task(
          "border", accesses,
          [tasks = group.tasks, memory = store_.memory(b), b, set,
           axis](flow::TaskContext& context) {
            fill_border(*tasks, memory, b, set, axis, context.scratch());
          },
          options(b, 1));
    }
  }

  void record_sweep(const GroupData& group, std::size_t b, int set, bool sums_up) {
    const FaceSet& from = *group.tasks->sets[static_cast<std::size_t>(set)];
    const FaceSet& to = *group.tasks->sets[static_cast<std::size_t>(1 - set)];
    accesses_.assign(1, {group.cells[b], Mode::inout});
    for (int axis = 0; axis < 3; ++axis) {
      accesses_.push_back({to.faces(b, axis), Mode::out});
      from.add_sources(b, axis, accesses_);
    }
    if (sums_up) {
      const auto n = static_cast<std::size_t>(group.tasks->group.n);
      accesses_.push_back({group.sums, Mode::out, flow::Range::of(b * n, (b + 1) * n)});
    }
    // Blocks whose faces travel go first.
    recorder_.task(
        "stencil", accesses_,
        [tasks = group.tasks, memory = store_.memory(b), b, set,
         sums_up](flow::TaskContext& context) {
          tasks->sweep(memory, b, set, sums_up, context.scratch());
        },
        options(b, is_at_edge_[b] ? 1 : 0));
  }

  void record_check(const GroupData& group, int stage) {
    recorder_.phase("checksum", flow::PhaseKind::step);
    const auto n = static_cast<std::size_t>(group.tasks->group.n);
    const auto totals = recorder_.data<TravellingSum>("checksums", n);
    recorder_.task("checksum",
                   std::vector<Access>{{group.sums, Mode::in}, {totals.datum(), Mode::out}},
                   [sums = group.tasks->sums, to = totals.view()](flow::TaskContext&) {
                     for (std::size_t v = 0; v < to.size(); ++v)
                       to[v] = sum_of_blocks(sums.empty() ? sums : sums.subspan(v), to.size());
                   });
    recorder_.all_reduce_ordered("checksum of all ranks", flow::inout(totals), &combine);
    recorder_.task("validate",
                   std::vector<Access>{{totals.datum(), Mode::in}, {group.last_sums, Mode::inout}},
                   [&checksums = checksums_, first = group.tasks->group.first, stage,
                    sums = totals.const_view()](flow::TaskContext& context) {
                     for (std::size_t v = 0; v < sums.size(); ++v)
                       checksums.check(static_cast<std::int64_t>(context.replay()), stage,
                                       first + static_cast<int>(v), value_of(sums[v]));
                   });
  }

  /// After an odd number of stages the new faces are set 1: copy them to set 0.
  void record_turn(const GroupData& group) {
    recorder_.phase("turn", flow::PhaseKind::step);
    const auto& sets = group.tasks->sets;
    for (std::size_t b = 0; b < store_.size(); ++b) {
      accesses_.clear();
      for (int axis = 0; axis < 3; ++axis) {
        accesses_.push_back({sets[1]->faces(b, axis), Mode::in});
        accesses_.push_back({sets[0]->faces(b, axis), Mode::out});
      }
      recorder_.task(
          "turn", accesses_,
          [tasks = group.tasks, memory = store_.memory(b)](flow::TaskContext&) {
            for (int face = 0; face < 6; ++face)
              std::copy_n(memory.face(1, face, tasks->group.first),
                          tasks->shape.plane(face / 2).size() * tasks->group.n,
                          memory.face(0, face, tasks->group.first));
          },
          options(b));
    }
  }

  flow::Recorder& recorder_;
  const StageSettings& settings_;
  const Layout& layout_;
  const Store& store_;
  Checksums& checksums_;
  std::vector<GroupData> groups_;
  std::vector<bool> is_at_edge_;  ///< by block: whether a neighbour is on another rank
  std::vector<Access> accesses_;  ///< of the task being recorded
};

}  // namespace

std::size_t scratch_bytes(const Shape& shape) {
  return sweep_scratch(shape) + 6 * largest_plane(shape) * sizeof(double);
}

void record_timestep(flow::Recorder& recorder, const StageSettings& settings, const Layout& layout,
                     const Store& store, Checksums& checksums) {
  THALWEG_EXPECT(settings.n_stages > 0, "a timestep has a stage");
  THALWEG_EXPECT(checksums.last.size() == static_cast<std::size_t>(store.shape().n_vars),
                 "a last checksum of each variable");
  TimestepRecorder(recorder, settings, layout, store, checksums).record();
}

void record_first_checksums(flow::Recorder& recorder, const Store& store, Checksums& checksums) {
  const auto n = static_cast<std::size_t>(store.shape().n_vars);
  THALWEG_EXPECT(checksums.last.size() == n, "room for a checksum of each variable");
  const auto totals = recorder.data<TravellingSum>("checksums", n);
  recorder.task("checksum", flow::uses(flow::out(totals)), [&store](std::span<TravellingSum> to) {
    std::vector<CellSum> sums(store.size());
    for (std::size_t v = 0; v < to.size(); ++v) {
      for (std::size_t b = 0; b < sums.size(); ++b)
        sums[b] = sum_of_cells({store.memory(b).cells(static_cast<int>(v)),
                                static_cast<std::size_t>(store.shape().n_cells())});
      to[v] = sum_of_blocks(sums, 1);
    }
  });
  recorder.all_reduce_ordered("checksum of all ranks", flow::inout(totals), &combine);
  recorder.task("keep", flow::uses(flow::in(totals)),
                [&checksums](std::span<const TravellingSum> sums) {
                  std::ranges::transform(sums, checksums.last.begin(), value_of);
                });
}

}  // namespace thalweg::miniamr::data
