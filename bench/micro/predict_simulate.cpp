// SPDX-License-Identifier: MIT
// bench: simulating steps of captured graphs: nodes a second of processor time, bytes a node
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include <report.hpp>

#include <thalweg/flow/recorder.hpp>
#include <thalweg/predict/simulate.hpp>

namespace {

using namespace thalweg;

/// One rank of a ring: a stencil of tasks on its data, n_stages times, with messages to both
/// neighbours before each stage.
void record(flow::Recorder& r, int rank, int n_ranks, int n_data, int n_stages) {
  std::vector<flow::Data<double>> x;
  const auto left = r.data<double>("left", 64), right = r.data<double>("right", 64);
  for (int i = 0; i < n_data; ++i) x.push_back(r.data<double>("x", 64));
  const auto nothing = [](auto...) {};
  for (int stage = 0; stage < n_stages; ++stage) {
    if (n_ranks > 1) {
      const Rank below((rank + n_ranks - 1) % n_ranks), above((rank + 1) % n_ranks);
      r.send(flow::in(x.front()), below);
      r.send(flow::in(x.back()), above);
      r.recv(flow::out(left), below);
      r.recv(flow::out(right), above);
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto& before = i == 0 ? left : x[i - 1];
      const auto& after = i + 1 == x.size() ? right : x[i + 1];
      r.task("advance", flow::uses(flow::in(before), flow::in(after), flow::inout(x[i])), nothing);
    }
  }
}

predict::Job ring(int n_ranks, std::uint32_t n_workers, int n_data, int n_stages) {
  predict::TaskTimes times;
  times.add("advance", 1, 20'000);
  predict::JobBuilder builder(n_ranks, n_workers, times);
  for (int rank = 0; rank < n_ranks; ++rank) {
    flow::Recorder recorder(Rank(rank), n_ranks);
    record(recorder, rank, n_ranks, n_data, n_stages);
    builder.add(flow::capture(std::move(recorder), flow::Model::dataflow));
  }
  return std::move(builder).finish();
}

void measure(bench::Report& report, const std::string& label, const predict::Job& job) {
  const predict::Machine machine{
      .network = {.latency_ns = 1500, .overhead_ns = 300, .gap_ns = 100, .ns_per_byte = 0.08},
      .task_overhead_ns = 20,
      .steal_ns = 100,
      .noise = {.kind = predict::Noise::Kind::pareto, .scale = 0.05}};
  std::vector<double> rates;
  for (int repetition = 0; repetition < 5; ++repetition) {
    const std::clock_t start = std::clock();
    const auto run = predict::simulate(job, machine, {.n_steps = 4});
    const double s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    rates.push_back(1e-6 * static_cast<double>(run.n_nodes) / s);
  }
  report.add(label + ": nodes", "million/s", rates);
  const double counters = 3.0 * sizeof(std::uint32_t);  // with two steps in flight
  report.add(label + ": memory", "bytes/node",
             {counters + static_cast<double>(job.n_bytes()) / static_cast<double>(job.n_nodes())});
}

}  // namespace

int main() {
  bench::Report report;
  measure(report, "1 rank x 1 worker, 1,000 tasks", ring(1, 1, 64, 16));
  measure(report, "64 ranks x 2 workers, 1,000 tasks each", ring(64, 2, 64, 16));
  measure(report, "1,024 ranks x 16 workers, 1,000 tasks each", ring(1024, 16, 64, 16));
  report.print();
}
