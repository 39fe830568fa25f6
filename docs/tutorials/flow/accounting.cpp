// SPDX-License-Identifier: MIT
// Where the time of two workers goes: measured, tiled exactly, and told by cause.
//
// Also left here as accounting.pftrace, to be opened at ui.perfetto.dev.
#include <fstream>
#include <iostream>

#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/trace/file.hpp>
#include <thalweg/trace/sink_memory.hpp>
#include <thalweg/trace/summary.hpp>

using namespace thalweg;

int main(int argc, char** argv) {
  const comm::Session mpi(&argc, &argv);
  comm::MpiTransport transport(mpi);
  const SteadyClock clock;

  // Eight blocks are worked on at the same time, the first one longest; then all are added up.
  flow::Recorder r(mpi.rank(), mpi.n_ranks());
  const auto values = r.data<double>("values", 8, 1.0), sum = r.data<double>("sum", 1);
  for (std::size_t b = 0; b < 8; ++b)
    r.task("relax", uses(inout(values.range(b, b + 1))), [b](auto v) {
      for (int i = 0; i < (b == 0 ? 200'000 : 20'000); ++i) v[0] = 0.5 * (v[0] + 2.0 / v[0]);
    });
  r.task("sum", uses(in(values), out(sum)), [](auto v, auto s) {
    s[0] = 0;
    for (const double x : v) s[0] += x;
  });
  flow::Graph graph = capture(std::move(r), flow::Model::dataflow);

  trace::MemorySink sink({.n_workers = 2, .n_events_per_worker = 10'000});
  flow::Executor executor({.n_workers = 2, .sink = &sink}, transport, clock);
  const auto done = executor.run(graph, 20);
  if (!done) transport.abort(done.error().message);

  const trace::RankTrace trace = sink.trace(mpi.rank(), transport.n_ranks(), "this machine");
  std::ofstream("accounting.pftrace", std::ios::binary) << trace::perfetto_part(trace);
  const auto summary = trace::summarise({trace});
  if (!summary) transport.abort(summary.error().message);
  trace::write_text(std::cout, *summary);

  bool is_exact = true;
  for (const auto& worker : summary->workers)
    is_exact = is_exact && worker.total_ns() == summary->wall_ns;
  return is_exact && summary->n_dropped == 0 ? 0 : 1;
}
