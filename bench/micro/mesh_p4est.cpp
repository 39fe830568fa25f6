// SPDX-License-Identifier: MIT
// bench: time and bytes to regrid leaves around a moving sphere beside p4est, on 1 rank or, through
// mpirun, on more: [LEVEL ...]
//
// Both do what is collective over MPI: balance, partition, the layer of neighbours. What leaves
// flag is asked outside of the time with ours, and by p4est while it refines and coarsens, which is
// the line of its own. Times are means over ranks.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <report.hpp>
#include <sphere.hpp>
#include <thalweg/comm/session.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/exchange/emit/collectives.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/mesh/leaf_partition.hpp>
#include <thalweg/mesh/memory.hpp>
#include <thalweg/mesh/testing/leaf_neighbours.hpp>
#include <thalweg/mesh/testing/p4est_forest.hpp>

namespace {

using namespace thalweg;

constexpr int n_regrids = 5;

/// Times the phases of all ranks, from one barrier to the next.
class Laps {
 public:
  explicit Laps(flow::Transport& transport) : transport_(transport) {}

  void begin() {
    flow::barrier(transport_);
    start_ = std::chrono::steady_clock::now();
  }
  void end(std::size_t phase) {
    const std::chrono::duration<double, std::micro> mine =
        std::chrono::steady_clock::now() - start_;
    samples_.resize(std::max(samples_.size(), phase + 1));
    samples_[phase].push_back(sum(mine.count()) / transport_.n_ranks());
    begin();
  }
  double sum(double mine) { return flow::all_reduce(transport_, mine, std::plus<>()); }
  void report(bench::Report& report, const std::string& name,
              const std::vector<std::string>& phases) const {
    for (std::size_t p = 0; p < phases.size(); ++p)
      report.add(name + phases[p], "us/rank", samples_[p]);
  }

 private:
  flow::Transport& transport_;
  std::chrono::steady_clock::time_point start_;
  std::vector<std::vector<double>> samples_;
};

void measure_ours(bench::Report& report, const bench::Sphere& sphere, flow::Transport& transport) {
  exchange::TransportCollectives collectives(transport);
  auto forest = mesh::initial_leaves(sphere.rules, 2, transport.rank(), transport.n_ranks());
  for (int l = 2; l < sphere.finest; ++l)
    forest = mesh::adapt<3>(forest, sphere.flags(forest, 0), collectives);
  Laps laps(transport);
  double n_bytes = 0;
  for (int time = 1; time <= n_regrids; ++time) {
    const auto flags = sphere.flags(forest, time);
    laps.begin();
    auto leaves = mesh::balanced_leaves<3>(forest, flags, collectives);
    laps.end(0);
    forest = mesh::partition_leaves(forest, mesh::of_equal_weight(std::move(leaves)), collectives)
                 .forest;
    laps.end(1);
    const auto neighbours =
        mesh::testing::find_neighbours(forest, mesh::Adjacency::corners, collectives);
    laps.end(2);
    n_bytes = static_cast<double>(forest.leaves.capacity() * sizeof(mesh::Key<3>) +
                                  mesh::n_bytes(forest.directory) + neighbours.n_bytes());
  }
  const std::string name =
      fmt::format("{} leaves, {} ranks, Thalweg: ", forest.n_global, transport.n_ranks());
  laps.report(report, name, {"refine, coarsen and balance", "partition", "neighbours"});
  report.add(name + "metadata", "KiB/rank", {laps.sum(n_bytes) / transport.n_ranks() / 1024});
}

void measure_p4est(bench::Report& report, const bench::Sphere& sphere, flow::Transport& transport,
                   const comm::Session& session) {
  mesh::testing::P4estForest<mesh::testing::P8estNames> forest(session.world(), sphere.rules, 2);
  const auto apply = [&](int time) {
    forest.apply([&](const mesh::Key<3>& key) { return sphere.flag(key, time); });
  };
  for (int l = 2; l < sphere.finest; ++l) {
    apply(0);
    forest.balance();
  }
  Laps laps(transport);
  double n_bytes = 0;
  for (int time = 1; time <= n_regrids; ++time) {
    laps.begin();
    apply(time);
    laps.end(0);
    forest.balance();
    laps.end(1);
    forest.partition();
    laps.end(2);
    n_bytes = static_cast<double>(forest.find_neighbours(mesh::Adjacency::corners));
    laps.end(3);
  }
  const std::string name =
      fmt::format("{} leaves, {} ranks, p4est: ", forest.n_global(), transport.n_ranks());
  laps.report(report, name, {"ask, refine and coarsen", "balance", "partition", "ghost layer"});
  report.add(name + "metadata", "KiB/rank", {laps.sum(n_bytes) / transport.n_ranks() / 1024});
}

}  // namespace

int main(int argc, char** argv) {
  comm::Session session(&argc, &argv);
  sc_set_log_defaults(nullptr, nullptr, SC_LP_SILENT);
  comm::MpiTransport transport(session);
  std::vector<std::string> levels(argv + 1, argv + argc);
  if (levels.empty()) levels = {"6", "8"};
  bench::Report report;
  for (const std::string& level : levels) {
    const bench::Sphere sphere(std::stoi(level));
    measure_ours(report, sphere, transport);
    measure_p4est(report, sphere, transport, session);
  }
  if (transport.rank() == Rank(0)) report.print();
}
