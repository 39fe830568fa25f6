// SPDX-License-Identifier: MIT
// bench: empty tasks through the OpenMP back end beside ours, and submitting tasks that all read
// one datum
#include <atomic>
#include <string>
#include <vector>

#include <report.hpp>

#include <thalweg/backends/openmp.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/executor.hpp>

#include "no_transport.hpp"
#include "slices.hpp"

namespace {

using namespace thalweg;

/// Rows of tasks, each of which reads three of the row before.
flow::Graph stencil(std::uint32_t n_rows, std::uint32_t width) {
  flow::Recorder recorder(Rank(0), 1);
  std::vector<flow::DatumId> values;
  for (std::uint32_t i = 0; i < 2 * (width + 2); ++i) values.push_back(recorder.datum("value"));
  for (std::uint32_t t = 0; t < n_rows; ++t)
    for (std::uint32_t i = 1; i <= width; ++i) {
      const auto at = [&](std::uint32_t row, std::uint32_t p) {
        return values[row % 2 * (width + 2) + p];
      };
      const std::vector<flow::Access> accesses{{at(t + 1, i - 1), flow::Mode::in},
                                               {at(t + 1, i), flow::Mode::in},
                                               {at(t + 1, i + 1), flow::Mode::in},
                                               {at(t, i), flow::Mode::out}};
      recorder.task("empty", accesses, [](flow::TaskContext&) {});
    }
  return flow::capture(std::move(recorder), flow::Model::dataflow);
}

void measure_tasks(bench::Report& report, std::uint32_t n_threads) {
  constexpr std::uint64_t n_replays = 10;
  flow::Graph graph = stencil(16, 64);
  bench::NoTransport transport;
  const SteadyClock clock;
  flow::Executor ours({.n_workers = n_threads, .accounting = flow::Accounting::off}, transport,
                      clock);
  backends::OpenMpExecutor openmp({.n_threads = n_threads}, transport);
  const auto samples = bench::time_in_turns(2, bench::Timer::wall, [&](std::size_t work) {
    bench::require(work == 0 ? ours.run(graph, n_replays) : openmp.run(graph, n_replays));
  });
  const double per_task = 1.0 / static_cast<double>(n_replays * graph.n_tasks());
  const std::string label = std::to_string(n_threads) + " threads, a task: ";
  report.add(label + "ours", "ns", bench::scaled(samples[0], per_task));
  report.add(label + "OpenMP", "ns", bench::scaled(samples[1], per_task));
  report.add(label + "OpenMP / ours", "", bench::ratios(samples[1], samples[0]));
}

/// A task that writes a datum and does not end before all others, which read it, are submitted.
struct Growth {
  std::uint32_t n_tasks;
  std::atomic<bool> is_submitted = false;
  double end_ns = 0;

  /// In the order they are recorded, so the last, which waits for nothing, can run when all are in.
  flow::Graph record() {
    flow::Recorder recorder(Rank(0), 1);
    const flow::DatumId common = recorder.datum("common");
    recorder.task("gate", std::vector<flow::Access>{{common, flow::Mode::out}},
                  [this](flow::TaskContext&) {
                    while (!is_submitted.load(std::memory_order_acquire)) {
                    }
                  });
    for (std::uint32_t i = 0; i < n_tasks; ++i) {
      const flow::DatumId own = recorder.datum("own");
      recorder.task("reader",
                    std::vector<flow::Access>{{common, flow::Mode::in}, {own, flow::Mode::out}},
                    [](flow::TaskContext&) {});
    }
    recorder.task("release", flow::uses(), [this] {
      end_ns = bench::now_ns(bench::Timer::wall);
      is_submitted.store(true, std::memory_order_release);
    });
    return flow::capture(std::move(recorder), flow::Model::dataflow);
  }
};

void measure_growth(bench::Report& report, std::uint32_t n_tasks) {
  bench::NoTransport transport;
  backends::OpenMpExecutor openmp({.n_threads = 2}, transport);
  std::vector<double> submission, capture;
  for (int sample = 0; sample < 5; ++sample) {
    Growth growth{.n_tasks = n_tasks};
    const double start = bench::now_ns(bench::Timer::cpu);
    const flow::Graph graph = growth.record();
    capture.push_back((bench::now_ns(bench::Timer::cpu) - start) / n_tasks);
    // From here, not from the gate's start: a second thread may be late for it.
    const double submission_start = bench::now_ns(bench::Timer::wall);
    bench::require(openmp.run(graph, 1));
    submission.push_back((growth.end_ns - submission_start) / n_tasks);
  }
  const std::string label = std::to_string(n_tasks) + " readers in flight, a task: ";
  report.add(label + "our recording and capture", "ns", capture);
  report.add(label + "OpenMP's submission", "ns", submission);
}

}  // namespace

int main() {
  bench::Report report;
  for (const std::uint32_t n_threads : {1u, 2u}) measure_tasks(report, n_threads);
  for (const std::uint32_t n_tasks : {800u, 3200u, 12800u}) measure_growth(report, n_tasks);
  report.print();
}
