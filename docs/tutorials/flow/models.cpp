// SPDX-License-Identifier: MIT
// One recording, four execution models, on three virtual ranks: the same bits.
//
// The network is simulated, so this needs no mpirun, and a seed that fails, fails again.
#include <array>
#include <cstdio>
#include <vector>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/combine.hpp>
#include <thalweg/flow/executor.hpp>

using namespace thalweg;

namespace {

constexpr int n_ranks = 3;
constexpr std::size_t n = 16;

/// Each step: swap a number with the neighbours, compute, find the largest of all ranks.
flow::Data<double> record(flow::Recorder& r) {
  const Rank left((r.rank()() + n_ranks - 1) % n_ranks), right((r.rank()() + 1) % n_ranks);
  const auto values = r.data<double>("values", n, 1.0 + r.rank()());
  const auto ghost = r.data<double>("ghost", n);
  const auto largest = r.data<double>("largest", 1);

  r.phase("exchange", flow::PhaseKind::step);
  r.send(in(values), right);
  r.recv(out(ghost), left);
  r.phase("compute", flow::PhaseKind::level);
  r.task("mix", uses(in(ghost), inout(values)), [](auto theirs, auto mine) {
    for (std::size_t i = 0; i < n; ++i) mine[i] = 0.75 * mine[i] + 0.25 * theirs[n - 1 - i];
  });
  r.task("largest", uses(in(values), out(largest)), [](auto v, auto found) {
    found[0] = v[0];
    for (const double x : v) found[0] = flow::Max{}(found[0], x);
  });
  r.all_reduce("largest of all", inout(largest), flow::Max{});
  r.task("scale", uses(in(largest), inout(values)), [](auto by, auto v) {
    for (double& x : v) x /= by[0];
  });
  return values;
}

std::array<std::vector<double>, n_ranks> run(flow::Model model, std::uint64_t seed) {
  std::array<std::vector<double>, n_ranks> result;
  comm::SimNetwork network({.n_ranks = n_ranks, .seed = seed});
  const auto done = network.run([&](flow::Transport& transport) {
    flow::Recorder r(transport.rank(), n_ranks);
    const auto values = record(r);
    flow::Graph graph = capture(std::move(r), model);
    flow::UniformPicker picker(seed);
    flow::Executor executor({.depth = 3, .picker = &picker}, transport, network.clock());
    if (const auto report = executor.run(graph, 50); !report)
      transport.abort(report.error().message);
    result[transport.rank()()].assign(values.const_view().begin(), values.const_view().end());
  });
  if (!done) std::printf("seed %u failed: %s\n", unsigned(seed), done.error().message.c_str());
  return result;
}

}  // namespace

int main() {
  const auto expected = run(flow::Model::bulk, 0);
  for (const auto model :
       {flow::Model::bulk, flow::Model::forkjoin, flow::Model::phase, flow::Model::dataflow})
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
      if (run(model, seed) != expected) {
        std::printf("%s gives other bits under seed %u\n", to_string(model).data(), unsigned(seed));
        return 1;
      }
  std::printf("4 models x 20 schedules: the same bits, first value %.17g\n", expected[0][0]);
}
