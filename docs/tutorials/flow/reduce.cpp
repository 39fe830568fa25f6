// SPDX-License-Identifier: MIT
// Sums whose bits do not depend on who was first: within a rank, and over all ranks.
#include <cstdio>
#include <functional>

#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/executor.hpp>

using namespace thalweg;

int main(int argc, char** argv) {
  const comm::Session mpi(&argc, &argv);
  comm::MpiTransport transport(mpi);
  flow::Recorder r(mpi.rank(), mpi.n_ranks());
  const auto n_ranks = static_cast<std::uint32_t>(mpi.n_ranks());

  // 1,000 terms of a series, spread over the ranks in turns.
  std::vector<double> mine;
  for (std::uint32_t i = mpi.rank()(); i < 1000; i += n_ranks) mine.push_back(1.0 / (1.0 + i));
  const auto terms = r.data<double>("terms", mine.size());
  std::ranges::copy(mine, terms.view().begin());

  // Tasks that contribute run at the same time, each with an array of its own; these are added up
  // in the order of recording.
  const auto sum = r.data<double>("sum", 1);
  r.task("clear", uses(out(sum)), [](auto s) { s[0] = 0; });
  for (std::size_t i = 0; i < mine.size(); ++i)
    r.task("add", uses(in(terms.range(i, i + 1)), reduce(sum, std::plus<>(), 0.0)),
           [](auto term, auto partial) { partial[0] += term[0]; });

  // Over all ranks: in an order that depends on their number ...
  r.all_reduce_ordered("sum of all", inout(sum), std::plus<>());
  // ... or rounded only once, and so the same for any number of ranks.
  const auto exact = r.data<double>("exact", 1);
  r.all_reduce_exact_sum("exact sum", in(terms), out(exact));

  const SteadyClock clock;
  flow::Graph graph = capture(std::move(r), flow::Model::dataflow);
  flow::Executor executor({.n_workers = 2}, transport, clock);
  const auto done = executor.run(graph, 1);
  if (!done) transport.abort(done.error().message);

  const double found = sum.const_view()[0], rounded_once = exact.const_view()[0];
  std::printf("rank %u of %u: %.17g, exactly %.17g\n", mpi.rank()(), n_ranks, found, rounded_once);
  // The 1,000th harmonic number.
  constexpr double expected = 7.485470860550345;
  return rounded_once == expected && std::abs(found - expected) < 1e-12 ? 0 : 1;
}
