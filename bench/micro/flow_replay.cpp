// SPDX-License-Identifier: MIT
// bench: replaying a 64 x 64 stencil of empty tasks, per task, beside a hand-written executor
#include <optional>
#include <string>

#include <report.hpp>

#include <thalweg/core/clock.hpp>
#include <thalweg/flow/executor.hpp>

#include "no_transport.hpp"
#include "slices.hpp"
#include "static_executor.hpp"
#include "stencil_record.hpp"

namespace {

using namespace thalweg;

/// A graph with an executor of its own.
class Ours {
 public:
  Ours(const bench::Stencil& stencil, flow::Accounting accounting)
      : graph_(flow::capture(bench::record(stencil), flow::Model::dataflow)),
        executor_({.n_workers = stencil.n_workers, .accounting = accounting}, transport_, clock_) {}
  void run(std::uint64_t n_replays) { bench::require(executor_.run(graph_, n_replays)); }

 private:
  bench::NoTransport transport_;
  SteadyClock clock_;
  flow::Graph graph_;
  flow::Executor executor_;
};

void measure(bench::Report& report, const bench::Stencil& stencil) {
  constexpr std::uint64_t n_replays = 50;  // some milliseconds
  bench::StaticExecutor floor(stencil);
  Ours plain(stencil, flow::Accounting::off), accounted(stencil, flow::Accounting::on);
  const auto timer = stencil.n_workers == 1 ? bench::Timer::cpu : bench::Timer::wall;
  const auto samples = bench::time_in_turns(3, timer, [&](std::size_t work) {
    if (work == 0) floor.run(n_replays);
    if (work == 1) plain.run(n_replays);
    if (work == 2) accounted.run(n_replays);
  });

  const int n_dependencies = stencil.reach ? static_cast<int>(2 * *stencil.reach + 1) : 0;
  const std::string label = std::to_string(stencil.n_workers) + " threads, " +
                            std::to_string(n_dependencies) + " dependencies: ";
  const double per_task = 1.0 / static_cast<double>(n_replays * stencil.n_tasks());
  report.add(label + "floor", "ns", bench::scaled(samples[0], per_task));
  report.add(label + "ours", "ns", bench::scaled(samples[1], per_task));
  report.add(label + "ours, accounted", "ns", bench::scaled(samples[2], per_task));
  report.add(label + "ours / floor", "", bench::ratios(samples[1], samples[0]));
  report.add(label + "ours, accounted / floor", "", bench::ratios(samples[2], samples[0]));
}

}  // namespace

int main() {
  bench::Report report;
  for (const std::uint32_t n_workers : {1u, 2u})
    for (const std::optional<std::uint32_t> reach :
         {std::optional<std::uint32_t>(), std::optional(0u), std::optional(1u), std::optional(3u)})
      measure(report, {.reach = reach, .n_workers = n_workers});
  report.print();
}
