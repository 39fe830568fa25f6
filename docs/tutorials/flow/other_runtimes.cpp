// SPDX-License-Identifier: MIT
// The same recording on OpenMP tasks: as slow as those are, and the same bits.
#include <cstdio>

#include <thalweg/backends/openmp.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/executor.hpp>

using namespace thalweg;

namespace {

flow::Data<double> record(flow::Recorder& r) {
  const auto u = r.data<double>("u", 32, 1.0), total = r.data<double>("total", 1);
  for (std::size_t i = 0; i < 32; ++i)
    r.task("cell", uses(in(total), inout(u.range(i, i + 1))),
           [i](auto t, auto x) { x[0] = 0.7 * x[0] + 0.005 * t[0] + static_cast<double>(i); });
  r.task("total", uses(in(u), out(total)), [](auto x, auto t) {
    t[0] = 0;
    for (const double value : x) t[0] += value;
  });
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  const comm::Session mpi(&argc, &argv);
  comm::MpiTransport transport(mpi);
  const SteadyClock clock;

  flow::Recorder ours(mpi.rank(), mpi.n_ranks()), theirs(mpi.rank(), mpi.n_ranks());
  const auto total = record(ours), total_openmp = record(theirs);
  flow::Graph graph = capture(std::move(ours), flow::Model::dataflow);
  flow::Graph graph_openmp = capture(std::move(theirs), flow::Model::dataflow);

  flow::Executor executor({.n_workers = 2}, transport, clock);
  backends::OpenMpExecutor openmp({.n_threads = 2}, transport);
  const auto start_ns = clock.now_ns();
  if (const auto done = executor.run(graph, 1000); !done) transport.abort(done.error().message);
  const auto middle_ns = clock.now_ns();
  if (const auto done = openmp.run(graph_openmp, 1000); !done)
    transport.abort(done.error().message);
  const auto end_ns = clock.now_ns();

  std::printf("%.17g in %.1f ms; OpenMP: %.17g in %.1f ms\n", total.const_view()[0],
              1e-6 * static_cast<double>(middle_ns - start_ns), total_openmp.const_view()[0],
              1e-6 * static_cast<double>(end_ns - middle_ns));
  return total.const_view()[0] == total_openmp.const_view()[0] ? 0 : 1;
}
