// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <thalweg/predict/job.hpp>
#include <thalweg/predict/simulate.hpp>
#include <thalweg/trace/rank_trace.hpp>

#include "sim_state.hpp"

namespace thalweg::predict {

/// Writes down what an executor would have recorded of some steps, and of as many around them as
/// can be in flight: so every worker's time in them is accounted for. Step k is replay k - 1.
class Tracer {
 public:
  Tracer(const Job& job, const Scenario& scenario);

  bool is_on() const { return !traces_.empty(); }
  /// A message of a rank was posted, in a replay.
  void post(std::uint32_t r, SimItem item, std::uint64_t replay, std::int64_t now_ns) {
    if (wants(replay)) posted_ns_[r][place(r, item)] = now_ns;
  }
  /// A message is complete, and worker w of the rank has seen it.
  void complete(std::uint32_t r, std::uint32_t w, SimItem item, std::uint64_t replay,
                trace::EventKind kind, std::int64_t now_ns) {
    if (wants(replay)) add(r, w, item, replay, kind, posted_ns_[r][place(r, item)], now_ns);
  }
  void run_task(std::uint32_t r, std::uint32_t w, SimItem item, std::uint64_t replay,
                std::int64_t start_ns, std::int64_t end_ns) {
    if (wants(replay)) add(r, w, item, replay, trace::EventKind::task, start_ns, end_ns);
  }
  /// Worker w of a rank had nothing to do.
  void idle(std::uint32_t r, std::uint32_t w, std::int64_t start_ns, std::int64_t end_ns) {
    if (is_on() && start_ns < end_ns) add(r, w, 0, 0, trace::EventKind::idle, start_ns, end_ns);
  }
  /// What was written down, of a run that has ended.
  std::vector<trace::RankTrace> finish(std::int64_t end_ns) &&;

 private:
  bool wants(std::uint64_t replay) const {
    return is_on() && replay + 1 + depth_ >= window_.first && replay + 1 < window_.last + depth_;
  }
  std::size_t place(std::uint32_t r, SimItem item) const {
    return (item >> slot_shift) * job_.graph_of(r).n_nodes() + (item & node_mask);
  }
  void add(std::uint32_t r, std::uint32_t w, SimItem item, std::uint64_t replay,
           trace::EventKind kind, std::int64_t start_ns, std::int64_t end_ns) {
    traces_[r].events[w].push_back({.start_ns = start_ns,
                                    .end_ns = end_ns,
                                    .replay = replay,
                                    .node = item & node_mask,
                                    .worker = static_cast<std::uint16_t>(w),
                                    .kind = kind});
  }

  const Job& job_;
  trace::StepWindow window_;
  std::uint32_t depth_;
  std::vector<trace::RankTrace> traces_;
  std::vector<std::vector<std::int64_t>> posted_ns_;  ///< of rank, by slot and node
};

}  // namespace thalweg::predict
