// SPDX-License-Identifier: MIT
// Graphs made by hand, and what a simulation says of them.
#pragma once
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include <thalweg/flow/recorder.hpp>
#include <thalweg/predict/simulate.hpp>

namespace thalweg::predict {

/// A body that does nothing, with any data.
inline constexpr auto nothing = [](auto...) {};

/// Tasks "a", "b" and "c" take 100, 10 and 1 ns; "none" takes none.
inline TaskTimes hand_times() {
  TaskTimes times;
  for (const auto& [name, ns] : {std::pair{"a", 100.0}, {"b", 10.0}, {"c", 1.0}, {"none", 0.0}})
    times.add(name, 1, ns);
  return times;
}

/// A job of ranks whose graphs `record(recorder, rank)` records.
inline Job job_of(int n_ranks, std::uint32_t n_workers, flow::Model model,
                  const std::function<void(flow::Recorder&, int)>& record,
                  const TaskTimes& times = hand_times()) {
  JobBuilder builder(n_ranks, n_workers, times);
  for (int r = 0; r < n_ranks; ++r) {
    flow::Recorder recorder(Rank(r), n_ranks);
    record(recorder, r);
    builder.add(flow::capture(std::move(recorder), model));
  }
  return std::move(builder).finish();
}

/// Rank 0 works for 100 ns, sends 8 bytes to rank 1, which works for 10 and answers: no step
/// overlaps another.
inline Job to_and_fro() {
  return job_of(2, 1, flow::Model::phase, [](flow::Recorder& r, int rank) {
    r.phase("step", flow::PhaseKind::level);
    const auto x = r.data<double>("x", 1), done = r.data<double>("done", 1);
    if (rank == 0) {
      r.task("a", flow::uses(flow::out(x)), nothing);
      r.send(flow::in(x), Rank{1});
      r.recv(flow::out(done), Rank{1});
    } else {
      r.recv(flow::out(x), Rank{0});
      r.task("b", flow::uses(flow::in(x), flow::out(done)), nothing);
      r.send(flow::in(done), Rank{0});
    }
  });
}

/// How long one replay takes on a machine [ns].
inline std::int64_t one_step_ns(const Job& job, const Machine& machine = {}) {
  return simulate(job, machine, {.n_steps = 1}).total_ns();
}

}  // namespace thalweg::predict
