// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/data/stages.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/miniamr/data/exchange.hpp>
#include <thalweg/miniamr/data/mixed.hpp>
#include <thalweg/miniamr/data/task_names.hpp>

#include "around.hpp"
#include "group_tasks.hpp"

namespace thalweg::miniamr::data {
namespace {

using flow::Access;
using flow::Mode;

constexpr std::array<const char*, 3> exchange_names{"exchange x", "exchange y", "exchange z"};
/// The reference's: with corners, ghost cells depend on which comes when.
constexpr std::array<std::array<int, 3>, n_direction_orders> orders{
    {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}}};

/// Which updates of a block are timed.
struct Sampled {
  FillTimes* all_times;  ///< may be null
  std::size_t turn;

  FillTimes* times(const flow::TaskContext& context) const {
    return (turn + context.replay()) % FillTimes::every == 0 ? all_times : nullptr;
  }
};

/// Add up over ranks, so that messages are called after it too.
void reduce(flow::Recorder& recorder, const flow::Data<TravellingSum>& totals) {
  recorder.nested(
      task_names::reduce_sums, flow::uses(flow::inout(totals)),
      [&](flow::Recorder& inner) { inner.all_reduce("add", flow::inout(totals), &combine); });
}

class TimestepRecorder {
 public:
  TimestepRecorder(flow::Recorder& recorder, const StageSettings& settings, const Layout& layout,
                   const Store& store, Checksums& checksums)
      : recorder_(recorder),
        settings_(settings),
        store_(store),
        checksums_(checksums),
        last_sums_(recorder.datum("last sums")) {
    const Shape& shape = store.shape();
    std::array<FaceExchange, 3> exchanges;
    for (int axis = 0; axis < 3; ++axis)
      exchanges[static_cast<std::size_t>(axis)] =
          plan_exchange(shape, layout, recorder.rank(), axis, settings.max_comm_tasks);
    const std::size_t n_bytes = store.size() * BlockMemory::size(shape) * sizeof(double);
    const bool streams_faces = settings.cache_bytes > 0 && n_bytes > settings.cache_bytes;
    for (const Group group : groups_of(shape.n_vars, settings.group_size)) {
      auto tasks = std::make_shared<GroupTasks>(shape, settings.stencil, group, streams_faces);
      for (const int set : {0, 1})
        tasks->sets[static_cast<std::size_t>(set)] = std::make_unique<const FaceSet>(
            recorder, store, layout, exchanges, group, set, settings.has_separate_buffers);
      std::array<flow::DatumId, 2> sums;
      for (const std::size_t check : {0U, 1U}) {
        const auto data = recorder.data<CellSum>("sums of cells",
                                                 store.size() * static_cast<std::size_t>(group.n));
        sums[check] = data.datum();
        tasks->sums[check] = data.view();
      }
      groups_.push_back({std::move(tasks), {}, sums});
      for (std::size_t b = 0; b < store.size(); ++b)
        groups_.back().cells.push_back(recorder.datum("cells"));
    }
    if (settings.stencil == Stencil::mixed)
      constants_ = std::make_shared<const MixedConstants>(mixed_constants(shape.n_vars));
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
    std::vector<flow::DatumId> cells;   ///< by block
    std::array<flow::DatumId, 2> sums;  ///< of checks in turns
  };

  flow::TaskOptions options(std::size_t block, int priority = 0) const {
    const auto& key = store_.key(block);
    return {
        .priority = priority,
        .preferred_worker = static_cast<std::uint32_t>(block * settings_.n_workers / store_.size()),
        .level = key.level,
        .block = key.code};
  }

  Sampled sampled(std::size_t block, int stage) const {
    return {settings_.fill_times, block + static_cast<std::size_t>(stage)};
  }

  /// Which sums are made in a stage, if any.
  std::optional<int> check_in(int stage) const {
    const int every = settings_.checksum_freq;
    if (every <= 0 || stage % every != 0) return std::nullopt;
    return stage / every % 2;
  }

  void record_stage(const GroupData& group, int stage) {
    record_exchange(group, stage, flow::PhaseKind::level);
    recorder_.phase("stencil", flow::PhaseKind::step);
    for (std::size_t b = 0; b < store_.size(); ++b)
      settings_.stencil == Stencil::mixed ? record_mixed_update(group, b, stage)
                                          : record_sweep(group, b, stage);
    if (const auto check = check_in(stage)) record_check(group, stage, *check);
  }

  const std::array<int, 3>& order_in(int stage) const {
    const int turn = settings_.permutes ? (settings_.first_stage + stage) % n_direction_orders : 0;
    return orders[static_cast<std::size_t>(turn)];
  }

  void record_exchange(const GroupData& group, int stage, flow::PhaseKind kind) {
    std::optional<int> before;
    for (const int axis : order_in(stage)) {
      recorder_.phase(exchange_names[static_cast<std::size_t>(axis)],
                      std::exchange(kind, flow::PhaseKind::step));
      if (store_.shape().has_corners) record_borders(group, stage, before, axis);
      record_messages(*group.tasks->sets[static_cast<std::size_t>(stage % 2)], axis);
      before = axis;
    }
  }

  void record_messages(const FaceSet& faces, int axis) {
    const flow::TaskOptions urgent{.priority = 2, .level = axis};
    for (const Incoming& message : faces.incoming(axis))
      recorder_.recv(message.datum, std::as_writable_bytes(message.values), message.peer, urgent);
    for (const Outgoing& message : faces.outgoing(axis)) {
      if (message.packing != nullptr)
        recorder_.task(
            task_names::pack_faces[static_cast<std::size_t>(axis)], message.packed,
            [packing = message.packing](flow::TaskContext&) { (*packing)(); }, urgent);
      recorder_.send(message.access, std::as_bytes(message.values), message.peer, urgent);
    }
  }

  /// Each block takes the ghost cells that came across the axis before, and gives those it has to
  /// the faces across this one.
  void record_borders(const GroupData& group, int stage, std::optional<int> before, int axis) {
    const Plane plane = store_.shape().face_plane(axis);
    const bool has_border = plane.border0 > 0 || plane.border1 > 0;
    if (!before && !has_border) return;
    const int set = stage % 2;
    const FaceSet& faces = *group.tasks->sets[static_cast<std::size_t>(set)];
    for (std::size_t b = 0; b < store_.size(); ++b) {
      // Kept ghost cells are part of the cells.
      accesses_.assign({{group.cells[b], before ? Mode::inout : Mode::in}});
      if (before) faces.add_sources(b, *before, accesses_);
      if (has_border) accesses_.push_back({faces.faces(b, axis), Mode::inout});
      recorder_.task(
          task_names::border[static_cast<std::size_t>(axis)], accesses_,
          [this_stage = sampled(b, stage), tasks = group.tasks, memory = store_.memory(b), b, set,
           before, axis](flow::TaskContext& context) {
            if (before) tasks->take_ghosts(memory, b, set, *before, this_stage.times(context));
            tasks->give_borders(memory, set, axis);
          },
          options(b, 1));
    }
  }

  /// Add what the update of a group of a block uses.
  void add_accesses(const GroupData& group, std::size_t b, int stage) {
    const FaceSet& from = *group.tasks->sets[static_cast<std::size_t>(stage % 2)];
    const FaceSet& to = *group.tasks->sets[static_cast<std::size_t>(1 - stage % 2)];
    accesses_.push_back({group.cells[b], Mode::inout});
    for (int axis = 0; axis < 3; ++axis) {
      accesses_.push_back({to.faces(b, axis), Mode::out});
      // With corners, blocks have taken what came across the axes before.
      if (!store_.shape().has_corners || axis == order_in(stage).back())
        from.add_sources(b, axis, accesses_);
    }
    const auto check = check_in(stage);
    if (!check) return;
    const auto n = static_cast<std::size_t>(group.tasks->group.n);
    accesses_.push_back({group.sums[static_cast<std::size_t>(*check)], Mode::out,
                         flow::Range::of(b * n, (b + 1) * n)});
  }

  /// Blocks whose faces travel go first.
  flow::TaskOptions update_options(std::size_t b) const {
    return options(b, is_at_edge_[b] ? 1 : 0);
  }

  void record_sweep(const GroupData& group, std::size_t b, int stage) {
    accesses_.clear();
    add_accesses(group, b, stage);
    recorder_.task(
        task_names::stencil, accesses_,
        [this_stage = sampled(b, stage), tasks = group.tasks, memory = store_.memory(b), b, stage,
         has_corners = store_.shape().has_corners, last = order_in(stage).back(),
         check = check_in(stage)](flow::TaskContext& context) {
          FillTimes* const times = this_stage.times(context);
          if (has_corners) tasks->take_ghosts(memory, b, stage % 2, last, times);
          tasks->sweep(memory, b, stage % 2, check, context.scratch(), times);
        },
        update_options(b));
  }

  /// Variables are computed from those of other groups too, and from the ghost cells of these:
  /// those of groups still to come are of the stage before.
  void record_mixed_update(const GroupData& group, std::size_t b, int stage) {
    accesses_.clear();
    add_accesses(group, b, stage);
    for (const GroupData& other : groups_)
      if (&other != &group) accesses_.push_back({other.cells[b], Mode::in});
    recorder_.task(
        task_names::stencil, accesses_,
        [this_stage = sampled(b, stage), tasks = group.tasks, constants = constants_,
         memory = store_.memory(b), b, stage, n_stages = settings_.n_stages,
         last = order_in(stage).back(), &checksums = checksums_, counter = settings_.mixed_flops,
         check = check_in(stage)](flow::TaskContext& context) {
          const std::int64_t timestep =
              checksums.first_timestep - 1 + static_cast<std::int64_t>(context.replay());
          tasks->take_ghosts(memory, b, stage % 2, last, this_stage.times(context));
          const Flops flops =
              tasks->update_mixed(*constants, memory, b, stage % 2, timestep * n_stages + stage,
                                  check, context.scratch());
          if (counter != nullptr) counter->add(flops);
        },
        update_options(b));
  }

  void record_check(const GroupData& group, int stage, int check) {
    recorder_.phase("checksum", flow::PhaseKind::step);
    const auto n = static_cast<std::size_t>(group.tasks->group.n);
    const auto totals = recorder_.data<TravellingSum>("checksums", n);
    const auto set = static_cast<std::size_t>(check);
    recorder_.task(task_names::add_sums,
                   std::vector<Access>{{group.sums[set], Mode::in}, {totals.datum(), Mode::out}},
                   [sums = group.tasks->sums[set], to = totals.view()](flow::TaskContext&) {
                     for (std::size_t v = 0; v < to.size(); ++v)
                       to[v] = sum_of_blocks(sums.empty() ? sums : sums.subspan(v), to.size());
                   });
    reduce(recorder_, totals);
    recorder_.task(task_names::check_sums,
                   std::vector<Access>{{totals.datum(), Mode::in}, {last_sums_, Mode::inout}},
                   [&checksums = checksums_, first = group.tasks->group.first, stage,
                    is_mixed = settings_.stencil == Stencil::mixed,
                    sums = totals.const_view()](flow::TaskContext& context) {
                     for (std::size_t v = 0; v < sums.size(); ++v) {
                       const int variable = first + static_cast<int>(v);
                       checksums.check(static_cast<std::int64_t>(context.replay()), stage, variable,
                                       value_of(sums[v]), !is_mixed || variable == 0);
                     }
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
                          static_cast<std::size_t>(tasks->shape.face_plane(face / 2).size()) *
                              static_cast<std::size_t>(tasks->group.n),
                          memory.face(0, face, tasks->group.first));
          },
          options(b));
    }
  }

  flow::Recorder& recorder_;
  const StageSettings& settings_;
  const Store& store_;
  Checksums& checksums_;
  flow::DatumId last_sums_;  ///< of all groups, so that checks follow one another
  std::vector<GroupData> groups_;
  std::shared_ptr<const MixedConstants> constants_;  ///< where the stencil is mixed
  std::vector<bool> is_at_edge_;  ///< by block: whether a neighbour is on another rank
  std::vector<Access> accesses_;  ///< of the task being recorded
};

}  // namespace

void record_timestep(flow::Recorder& recorder, const StageSettings& settings, const Layout& layout,
                     const Store& store, Checksums& checksums) {
  THALWEG_EXPECT(settings.n_stages > 0, "a timestep has a stage");
  THALWEG_EXPECT(checksums.last.size() == static_cast<std::size_t>(store.shape().n_vars),
                 "a last checksum of each variable");
  THALWEG_EXPECT(settings.stencil == Stencil::seven || store.shape().has_corners,
                 "this stencil needs corners");
  TimestepRecorder(recorder, settings, layout, store, checksums).record();
}

void record_first_checksums(flow::Recorder& recorder, const Store& store, Checksums& checksums) {
  const auto n = static_cast<std::size_t>(store.shape().n_vars);
  THALWEG_EXPECT(checksums.last.size() == n, "room for a checksum of each variable");
  const auto totals = recorder.data<TravellingSum>("checksums", n);
  recorder.task(task_names::add_sums, flow::uses(flow::out(totals)),
                [&store](std::span<TravellingSum> to) {
                  std::vector<CellSum> sums(store.size());
                  for (std::size_t v = 0; v < to.size(); ++v) {
                    for (std::size_t b = 0; b < sums.size(); ++b)
                      sums[b] = sum_of_cells({store.memory(b).cells(static_cast<int>(v)),
                                              static_cast<std::size_t>(store.shape().n_cells())});
                    to[v] = sum_of_blocks(sums, 1);
                  }
                });
  reduce(recorder, totals);
  recorder.task("keep", flow::uses(flow::in(totals)),
                [&checksums](std::span<const TravellingSum> sums) {
                  std::ranges::transform(sums, checksums.last.begin(), value_of);
                });
}

}  // namespace thalweg::miniamr::data
