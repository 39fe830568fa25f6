// SPDX-License-Identifier: MIT
// What a recorder makes of parts, reductions and collectives, under MPI and with threads.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <vector>

#include <thalweg/comm/testing/mpi_main.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/exact_sum.hpp>
#include <thalweg/flow/executor.hpp>

namespace thalweg::comm {
namespace {

using flow::Recorder;
using flow::TaskContext;

constexpr std::size_t n_cells = 12;
constexpr std::uint64_t n_replays = 5;

double cell(std::uint32_t rank, std::size_t i, std::uint64_t replay) {
  return 1.0 / static_cast<double>(1 + 7 * rank + 3 * i + replay);
}

class MpiRecording : public testing::TestWithParam<flow::Model> {
 public:
};

/// What a rank knows at the end.
struct Known {
  flow::Data<double> exact, total, first, ghosts;
};

/// Fill cells in parts, give the outer ones to both neighbours, and combine in every way there is.
Known record(Recorder& r) {
  const std::uint32_t here = r.rank()();
  const auto n = static_cast<std::uint32_t>(r.n_ranks());
  const Rank left((here + n - 1) % n), right((here + 1) % n);
  auto u = r.data<double>("u", n_cells);
  Known known{r.data<double>("exact", 1), r.data<double>("total", 1), r.data<double>("first", 2),
              r.data<double>("ghosts", 4)};
  r.phase("fill", flow::PhaseKind::level);
  for (std::size_t i = 0; i < n_cells; ++i)
    r.task("fill", uses(out(u.range(i, i + 1))),
           [here, i](auto v, TaskContext& context) { v[0] = cell(here, i, context.replay()); });
  r.phase("exchange", flow::PhaseKind::level);
  r.send(in(u.range(0, 1)), left);
  r.send(in(u.range(1, 2)), left);
  r.send(in(u.range(n_cells - 2, n_cells - 1)), right);
  r.send(in(u.range(n_cells - 1, n_cells)), right);
  // Where both neighbours are one rank, what it sends to the left comes first.
  r.recv(out(known.ghosts.range(2, 3)), right);
  r.recv(out(known.ghosts.range(3, 4)), right);
  r.recv(out(known.ghosts.range(0, 1)), left);
  r.recv(out(known.ghosts.range(1, 2)), left);
  r.phase("combine", flow::PhaseKind::level);
  r.task("zero", uses(out(known.total)), [](auto v) { v[0] = 0; });
  for (std::size_t i = 0; i < n_cells; i += 4)
    r.task("add", uses(in(u.range(i, i + 4)), reduce(known.total, std::plus<>(), 0.0)),
           [](auto part, auto sum) {
             for (const double x : part) sum[0] += x;
           });
  r.all_reduce_ordered("total", inout(known.total), std::plus<>());
  r.all_reduce_exact_sum("exact", in(u), out(known.exact));
  r.task("own", uses(in(u), out(known.first)), [](auto v, auto f) { f[0] = v[0], f[1] = v[1]; });
  r.broadcast(inout(known.first), Rank(n - 1));
  r.barrier("end", std::vector{u.datum(), known.first.datum()});
  return known;
}

void check(const Known& known, std::uint32_t here, std::uint32_t n) {
  constexpr std::uint64_t last = n_replays - 1;
  ExactSum exact;
  std::vector<double> totals;
  for (std::uint32_t k = 0; k < n; ++k) {
    double total = 0;
    for (std::size_t i = 0; i < n_cells; i += 4) {
      double part = 0;
      for (std::size_t j = i; j < i + 4; ++j) part += cell(k, j, last), exact.add(cell(k, j, last));
      total += part;
    }
    totals.push_back(total);
  }
  for (std::uint32_t distance = 1; distance < n; distance *= 2)
    for (std::uint32_t k = 0; k + distance < n; k += 2 * distance)
      totals[k] += totals[k + distance];
  EXPECT_EQ(known.exact.view()[0], exact.value());
  EXPECT_EQ(known.total.view()[0], totals[0]);
  EXPECT_EQ(known.first.view()[0], cell(n - 1, 0, last));
  const std::uint32_t left = (here + n - 1) % n, right = (here + 1) % n;
  EXPECT_EQ(known.ghosts.view()[0], cell(left, n_cells - 2, last));
  EXPECT_EQ(known.ghosts.view()[1], cell(left, n_cells - 1, last));
  EXPECT_EQ(known.ghosts.view()[2], cell(right, 0, last));
  EXPECT_EQ(known.ghosts.view()[3], cell(right, 1, last));
}

TEST_P(MpiRecording, has_the_same_bits_with_any_workers_and_grain) {
  MpiTransport transport(*test_session);
  transport.set_watchdog(test_watchdog_s);
  const SteadyClock clock;
  for (const std::uint32_t n_workers : {1u, 2u})
    for (const std::uint32_t grain : {1u, 4u}) {
      Recorder recorder(transport.rank(), transport.n_ranks(), {.grain = grain});
      const Known known = record(recorder);
      flow::Graph graph = flow::capture(std::move(recorder), GetParam());
      flow::Executor executor({.n_workers = n_workers, .watchdog_s = test_watchdog_s}, transport,
                              clock);

      const auto report = executor.run(graph, n_replays);

      ASSERT_TRUE(report) << report.error().message;
      check(known, transport.rank()(), static_cast<std::uint32_t>(transport.n_ranks()));
    }
}

INSTANTIATE_TEST_SUITE_P(models, MpiRecording,
                         testing::Values(flow::Model::bulk, flow::Model::forkjoin,
                                         flow::Model::phase, flow::Model::dataflow));

}  // namespace
}  // namespace thalweg::comm
