// SPDX-License-Identifier: MIT
// A ring of ranks with 64 cells each, and a ghost cell at either end, is smoothed a thousand times.
#include <cstdio>

#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/executor.hpp>

using namespace thalweg;

int main(int argc, char** argv) {
  const comm::Session mpi(&argc, &argv);
  comm::MpiTransport transport(mpi);
  const auto here = mpi.rank()(), n_ranks = static_cast<std::uint32_t>(mpi.n_ranks());
  const Rank left((here + n_ranks - 1) % n_ranks), right((here + 1) % n_ranks);

  flow::Recorder r(mpi.rank(), mpi.n_ranks());
  const auto u = r.data<double>("u", 66, here == 0 ? 1.0 : 0.0);
  r.send(in(u.range(1, 2)), left);
  r.send(in(u.range(64, 65)), right);
  r.recv(out(u.range(65, 66)), right);  // received in the order in which it was sent
  r.recv(out(u.range(0, 1)), left);
  r.task("smooth", uses(inout(u)), [](std::span<double> c) {
    for (std::size_t i = 1; i <= 64; ++i) c[i] += 0.25 * (c[i - 1] - 2 * c[i] + c[i + 1]);
  });
  flow::Graph graph = capture(std::move(r), flow::Model::dataflow);

  const SteadyClock clock;
  flow::Executor executor({.n_workers = 2}, transport, clock);
  const auto done = executor.run(graph, 1000);
  if (!done) transport.abort(done.error().message);
  std::printf("rank %u: %.17g in the first cell\n", here, u.const_view()[1]);
}
