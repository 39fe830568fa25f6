// SPDX-License-Identifier: MIT
// The second half of backend.hpp, which includes it: how graphs are recorded.
#pragma once
#include <algorithm>
#include <cstdint>
#include <expected>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <thalweg/taskbench/backend.hpp>

namespace thalweg::taskbench {

namespace detail {

/// How many buffers the outputs of a point go through in turn.
template <BenchmarkGraph G>
long n_copies(const G& g) {
  constexpr long own_choice = 4;
  const long wanted = g.nb_fields == g.timesteps ? own_choice : g.nb_fields;
  return std::max(2L, std::min(wanted, static_cast<long>(g.timesteps)));
}

/// The points of a timestep.
template <BenchmarkGraph G>
Points active(const G& g, long timestep) {
  if (timestep >= g.timesteps) return {0, 0};
  const long first = g.offset_at_timestep(timestep);
  return {first, first + g.width_at_timestep(timestep)};
}

template <BenchmarkGraph G>
std::vector<StepShape> shapes_of(const std::vector<G>& graphs) {
  long n_steps = 0;
  for (const G& g : graphs) n_steps = std::max<long>(n_steps, g.timesteps);
  std::vector<StepShape> steps(static_cast<std::size_t>(n_steps));
  for (long t = 0; t < n_steps; ++t)
    for (const G& g : graphs) {
      const auto now = active(g, t), before = active(g, t - 1);
      steps[static_cast<std::size_t>(t)].push_back(
          {.offset = now.first,
           .width = now.second - now.first,
           .dependence_set = g.dependence_set_at_timestep(t),
           .offset_before = before.first,
           .width_before = before.second - before.first});
    }
  return steps;
}

template <BenchmarkGraph G>
SegmentLimits limits_of(const std::vector<G>& graphs, long n_ranks) {
  constexpr long window_steps = 128;
  constexpr long window_tasks = 1 << 14;
  constexpr long segment_tasks = 1 << 17;
  long unit = 1, width = 0;
  for (const G& g : graphs) {
    for (const long n : {static_cast<long>(g.timestep_period()), n_copies(g)})
      if (unit <= segment_tasks) unit = std::lcm(unit, n);  // a longer window is never replayed
    width += g.max_width;
  }
  // At most so many points of a timestep have a message for one other rank, each with its tag.
  const long n_messages = n_ranks == 1 ? 1 : (width + n_ranks - 1) / n_ranks;
  const long most = std::max(1L, std::min(segment_tasks / width, 32768 / n_messages));
  return {.unit = unit,
          .target_steps = std::min({window_steps, window_tasks / width, most}),
          .max_steps = most};
}

}  // namespace detail

template <BenchmarkGraph G>
std::vector<Segment> segments_of(const std::vector<G>& graphs, int n_ranks) {
  return plan_segments(detail::shapes_of(graphs), detail::limits_of(graphs, n_ranks));
}

template <BenchmarkGraph G>
Backend<G>::Backend(std::vector<G> graphs, flow::Model model, const flow::ExecutorConfig& config,
                    flow::Transport& transport, const Clock& clock)
    : Backend(std::move(graphs), model, config, transport,
              make_flow_runner(config, transport, clock)) {}

template <BenchmarkGraph G>
Backend<G>::Backend(std::vector<G> graphs, flow::Model model, const flow::ExecutorConfig& config,
                    flow::Transport& transport, std::unique_ptr<Runner> runner)
    : transport_(transport),
      model_(model),
      n_workers_(config.n_workers),
      runner_(std::move(runner)) {
  for (const G& g : graphs) {
    Part& part = parts_.emplace_back(
        Part{g, detail::Outputs(detail::n_copies(g), g.max_width, g.output_bytes_per_task), {}});
    for (std::uint32_t w = 0; w < config.n_workers; ++w) {
      const auto& scratch = part.scratch.emplace_back(g.scratch_bytes_per_task);
      G::prepare_scratch(scratch.data(), g.scratch_bytes_per_task);
    }
    first_buffer_.push_back(n_buffers_);
    n_buffers_ += part.outputs.size();
    for (long t = 0; t < g.timesteps; ++t) {
      const auto [first, end] = own_active(g, t);
      n_tasks_ += static_cast<std::uint64_t>(end - first);
    }
  }
  segments_ = segments_of(graphs, transport.n_ranks());
  for (const Segment& segment : segments_) graphs_.push_back(record(segment));
}

template <BenchmarkGraph G>
Result<void> Backend<G>::run() {
  const std::uint64_t n_before = runner_->n_tasks();
  for (std::size_t s = 0; s < segments_.size(); ++s) {
    const auto n_replays = static_cast<std::uint64_t>(segments_[s].n_replays);
    if (const auto report = runner_->run(graphs_[s], n_replays); !report)
      return std::unexpected(report.error());
  }
  const std::uint64_t n_run = runner_->n_tasks() - n_before;
  if (n_run == n_tasks_) return {};
  return std::unexpected(Failure{"rank " + std::to_string(here()) + " has run " +
                                 std::to_string(n_run) + " tasks (the graphs have " +
                                 std::to_string(n_tasks_) + " there)"});
}

template <BenchmarkGraph G>
std::size_t Backend<G>::n_bytes() const {
  std::size_t n = 0;
  for (const Part& part : parts_) n += part.outputs.n_bytes();
  for (const flow::Graph& graph : graphs_) n += graph.n_bytes();
  return n;
}

template <BenchmarkGraph G>
auto Backend<G>::own_active(const G& g, long timestep) const -> Points {
  const auto first_of = [&](long rank) { return (rank * g.max_width + n_ranks() - 1) / n_ranks(); };
  const auto [first, end] = detail::active(g, timestep);
  const long own_first = std::max(first, first_of(here()));
  return {own_first, std::max(own_first, std::min(end, first_of(here() + 1)))};
}

template <BenchmarkGraph G>
flow::Graph Backend<G>::record(const Segment& segment) {
  flow::Recorder recorder(transport_.rank(), transport_.n_ranks());
  Names names{recorder, {}};
  names.ids.resize(n_buffers_);
  for (long step = segment.first_step; step < segment.first_step + segment.n_steps; ++step) {
    recorder.phase("tasks", flow::PhaseKind::level);
    for (std::size_t p = 0; p < parts_.size(); ++p) record_points(names, p, segment, step);
    recorder.phase("exchange", flow::PhaseKind::step);
    for (std::size_t p = 0; p < parts_.size(); ++p) record_messages(names, p, step);
  }
  return flow::capture(std::move(recorder), model_);
}

template <BenchmarkGraph G>
void Backend<G>::record_points(Names& names, std::size_t p, const Segment& segment, long step) {
  Part& part = parts_[p];
  const G& g = part.graph;
  const bool is_replayed = segment.n_replays > 1;
  const long model_step = step == 0 && is_replayed ? segment.n_steps : step;
  const auto before = detail::active(g, model_step - 1);
  const auto [first, end] = own_active(g, model_step);
  for (long point = first; point < end; ++point) {
    PointTask task{.part = &part,
                   .first_step = step,
                   .n_steps = segment.n_steps,
                   .point = point,
                   .output = part.outputs.at(part.outputs.index(step, point)),
                   .inputs = {},
                   .input_bytes = {}};
    std::vector<flow::Access> accesses{{names.datum(buffer(p, step, point)), flow::Mode::out}};
    for (const auto& [from, to] : g.dependencies(g.dependence_set_at_timestep(model_step), point))
      for (long d = std::max(from, before.first); d <= std::min(to, before.second - 1); ++d) {
        accesses.push_back({names.datum(buffer(p, model_step - 1, d)), flow::Mode::in});
        task.inputs.push_back(part.outputs.at(part.outputs.index(model_step - 1, d)));
        task.input_bytes.push_back(g.output_bytes_per_task);
      }
    const auto worker = (point - first) * static_cast<long>(n_workers_) / (end - first);
    names.recorder.task("point", accesses, std::move(task),
                        {.preferred_worker = static_cast<std::uint32_t>(worker),
                         .level = static_cast<int>(p),
                         .block = static_cast<std::uint64_t>(point)});
  }
}

template <BenchmarkGraph G>
void Backend<G>::record_messages(Names& names, std::size_t p, long step) {
  Part& part = parts_[p];
  const G& g = part.graph;
  const long next = step + 1;
  if (next >= g.timesteps || n_ranks() == 1) return;
  const long dset = g.dependence_set_at_timestep(next);
  const auto bytes = [&](long point) {
    return std::span(part.outputs.at(part.outputs.index(step, point)), g.output_bytes_per_task);
  };

  std::vector<long> received;
  const auto [first, end] = own_active(g, next);
  for (long point = first; point < end; ++point) {
    const auto found = others(g.dependencies(dset, point), g, detail::active(g, step));
    received.insert(received.end(), found.begin(), found.end());
  }
  // Both sides go through the points in ascending order, so that their tags agree.
  std::ranges::sort(received);
  const auto repeated = std::ranges::unique(received);
  received.erase(repeated.begin(), repeated.end());
  for (const long point : received)
    names.recorder.recv(names.datum(buffer(p, step, point)), std::as_writable_bytes(bytes(point)),
                        Rank(static_cast<std::uint32_t>(owner(g, point))));

  const auto [own_first, own_end] = own_active(g, step);
  for (long point = own_first; point < own_end; ++point) {
    std::vector<long> ranks;
    for (const long user : others(g.reverse_dependencies(dset, point), g, detail::active(g, next)))
      ranks.push_back(owner(g, user));
    std::ranges::sort(ranks);
    const auto same = std::ranges::unique(ranks);
    ranks.erase(same.begin(), same.end());
    for (const long rank : ranks)
      names.recorder.send(names.datum(buffer(p, step, point)), std::as_bytes(bytes(point)),
                          Rank(static_cast<std::uint32_t>(rank)));
  }
}

template <BenchmarkGraph G>
std::vector<long> Backend<G>::others(const std::vector<std::pair<long, long>>& intervals,
                                     const G& g, Points within) const {
  std::vector<long> found;
  for (const auto& [from, to] : intervals)
    for (long point = std::max(from, within.first); point <= std::min(to, within.second - 1);
         ++point)
      if (owner(g, point) != here()) found.push_back(point);
  return found;
}

}  // namespace thalweg::taskbench
