// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/task_times.hpp>

#include <algorithm>
#include <string_view>

#include <thalweg/miniamr/data/task_names.hpp>

namespace thalweg::miniamr {
namespace {

Activity on_axis(Activity of_x, std::int64_t axis) {
  return static_cast<Activity>(static_cast<std::int64_t>(of_x) + axis);
}

Activity of_task(std::string_view name) {
  using enum Activity;
  namespace names = data::task_names;
  if (name == names::stencil) return stencil;
  if (name == names::add_sums) return sum;
  if (name == names::check_sums || name.starts_with(names::reduce_sums)) return reduce;
  if (name == names::split) return split;
  if (name == names::join) return join;
  if (name == names::pack_octant || name == names::join_octant) return pack_block;
  if (name == names::refresh_faces) return unpack_block;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (name == names::pack_faces[axis] || name == names::border[axis])
      return on_axis(pack, static_cast<std::int64_t>(axis));
  return other;
}

/// What waiting for a message is.
Activity of_message(std::string_view name, int axis) {
  using enum Activity;
  return name.starts_with(data::task_names::reduce_sums) ? reduce
                                                         : on_axis(wait, std::clamp(axis, 0, 2));
}

}  // namespace

bool TaskTimes::begin_run(const trace::RunStart& run) {
  run_ = run;
  if (purpose_ == Purpose::timesteps && run.first_step)
    for (Sums& sums : workers_) {
      sums.steps.resize(*run.first_step - 1 + run.n_replays);
      sums.until_ns = run.start_ns;
      sums.replay = 0;
    }
  return purpose_.has_value();
}

void TaskTimes::describe(trace::GraphInfo graph) {
  of_nodes_.clear();
  for (const trace::NodeInfo& node : graph.nodes) {
    const bool is_task = node.kind == trace::NodeKind::task;
    const std::string_view name = graph.names[node.name];
    of_nodes_.push_back(is_task ? of_task(name) : of_message(name, node.level));
  }
}

void TaskTimes::add(Sums& sums, Activity activity, std::uint64_t replay, std::int64_t start_ns,
                    std::int64_t end_ns) const {
  sums.ns[static_cast<std::size_t>(*purpose_)][static_cast<std::size_t>(activity)] +=
      end_ns - start_ns;
  // What was before it, since the one before ended, was in order to get to it.
  add_to_step(sums, Activity::other, replay, start_ns - sums.until_ns);
  add_to_step(sums, activity, replay, end_ns - start_ns);
  sums.until_ns = end_ns;
  sums.replay = replay;
}

void TaskTimes::add_to_step(Sums& sums, Activity activity, std::uint64_t replay,
                            std::int64_t ns) const {
  using enum Activity;
  if (*purpose_ != Purpose::timesteps || !run_.first_step) return;
  StepSums& step = sums.steps[*run_.first_step - 1 + replay];
  (activity == stencil                     ? step.compute_ns
   : activity == sum || activity == reduce ? step.gridsum_ns
                                           : step.comm_ns) += ns;
}

void TaskTimes::record(const trace::Event& event) noexcept {
  Sums& sums = workers_[event.worker];
  switch (event.kind) {
    case trace::EventKind::task:
      add(sums, of_nodes_[event.node], event.replay, event.start_ns, event.end_ns);
      return;
    case trace::EventKind::recv:
      sums.arrived_ns = event.end_ns;
      sums.arrived_replay = event.replay;
      sums.arrived = of_nodes_[event.node];
      return;
    case trace::EventKind::idle:
      // A worker is idle until it has something to do: what arrived meanwhile is what it waited
      // for.
      if (sums.arrived_ns >= event.start_ns)
        add(sums, sums.arrived, sums.arrived_replay, event.start_ns, event.end_ns);
      return;
    case trace::EventKind::send:
      return;
  }
}

void TaskTimes::end_run(std::int64_t end_ns) {
  if (purpose_ == Purpose::timesteps) runs_ns_ += end_ns - run_.start_ns;
  for (Sums& sums : workers_) {
    add_to_step(sums, Activity::other, sums.replay, end_ns - sums.until_ns);
    sums.arrived_ns = -1;
  }
}

double TaskTimes::seconds(Purpose purpose, Activity activity) const {
  std::int64_t total = 0;
  for (const Sums& worker : workers_)
    total += worker.ns[static_cast<std::size_t>(purpose)][static_cast<std::size_t>(activity)];
  return 1e-9 * static_cast<double>(total) / static_cast<double>(workers_.size());
}

std::vector<StepTimes> TaskTimes::by_step() const {
  std::vector<StepTimes> steps(workers_[0].steps.size());
  const double share = 1e-9 / static_cast<double>(workers_.size());
  for (const Sums& worker : workers_)
    for (std::size_t i = 0; i < steps.size(); ++i) {
      steps[i].compute_s += share * static_cast<double>(worker.steps[i].compute_ns);
      steps[i].comm_s += share * static_cast<double>(worker.steps[i].comm_ns);
      steps[i].gridsum_s += share * static_cast<double>(worker.steps[i].gridsum_ns);
    }
  return steps;
}

}  // namespace thalweg::miniamr
