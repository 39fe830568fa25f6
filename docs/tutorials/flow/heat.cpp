// SPDX-License-Identifier: MIT
// Heat spreads along a ring of ranks, 64 cells each, with a ghost cell at either end.
#include <cstdio>
#include <numeric>

#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/executor.hpp>

using namespace thalweg;

int main(int argc, char** argv) {
  const comm::Session mpi(&argc, &argv);
  comm::MpiTransport transport(mpi);
  const auto n_ranks = static_cast<std::uint32_t>(mpi.n_ranks());
  const Rank left((mpi.rank()() + n_ranks - 1) % n_ranks), right((mpi.rank()() + 1) % n_ranks);

  flow::Recorder r(mpi.rank(), mpi.n_ranks());
  const auto u = r.data<double>("u", 66, mpi.rank() == Rank(0) ? 1.0 : 0.0);
  r.send(in(u.range(1, 2)), left);
  r.send(in(u.range(64, 65)), right);
  r.recv(out(u.range(65, 66)), right);  // in the order in which the right one sends
  r.recv(out(u.range(0, 1)), left);
  r.task("diffuse", uses(inout(u)), [](std::span<double> cells) {
    double west = cells[0];
    for (std::size_t i = 1; i <= 64; ++i) {
      const double old = cells[i];
      cells[i] += 0.25 * (west - 2 * old + cells[i + 1]);
      west = old;
    }
  });
  flow::Graph graph = capture(std::move(r), flow::Model::dataflow);

  const SteadyClock clock;
  flow::Executor executor({.n_workers = 2}, transport, clock);
  const auto done = executor.run(graph, 1000);
  if (!done) transport.abort(done.error().message);

  const auto cells = u.const_view().subspan(1, 64);
  std::printf("rank %u: mean %.17g after 1000 steps\n", mpi.rank()(),
              std::accumulate(cells.begin(), cells.end(), 0.0) / 64);
}
