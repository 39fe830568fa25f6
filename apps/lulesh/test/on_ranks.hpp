// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/picker.hpp>
#include <thalweg/lulesh/simulation.hpp>

namespace thalweg::lulesh::testing {

/// What a run came to, whatever the ranks.
struct Outcome {
  std::vector<double> energy;  ///< of all elements, by their numbers among all
  std::int64_t n_cycles = 0;
  double time = 0;
  std::string error{};  ///< of the run; empty: none

  bool operator==(const Outcome&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Outcome& o) {
    return out << o.error << "cycle " << o.n_cycles << ", time " << o.time << ", energy "
               << ::testing::PrintToString(o.energy);
  }
};

/// Put what a rank has into what all have.
inline void put_outcome(const Simulation& simulation, Rank rank, Outcome& into) {
  const auto energy = simulation.energy();
  for (std::uint32_t e = 0; e < energy.size(); ++e)
    into.energy[simulation.cube().global_element(e)] = energy[e];
  if (rank != Rank(0)) return;
  into.n_cycles = simulation.clock().cycle;
  into.time = simulation.clock().time;
}

/// Run as one rank. @param n_workers  that the tasks are spread over
/// @param into  of all ranks; each writes its own elements
inline void run_rank(const Settings& settings, flow::Model model, std::uint32_t n_workers,
                     flow::ExecutorConfig config, flow::Transport& transport,
                     const thalweg::Clock& time, Outcome& into) {
  Simulation simulation(settings, model, n_workers, transport.rank(), transport.n_ranks());
  config.scratch_bytes = simulation.scratch_bytes();
  flow::Executor executor(config, transport, time);
  if (const auto done = simulation.run_to(settings.last_cycle, executor, {}); !done)
    transport.abort(done.error().message);
  put_outcome(simulation, transport.rank(), into);
}

/// Where the energies of a mesh of n^3 elements go.
inline Outcome outcome_of(int n) {
  return {.energy = std::vector<double>(static_cast<std::size_t>(n * n * n))};
}

/// Run a mesh of n^3 elements on side^3 virtual ranks, under a random schedule.
inline Outcome run_on(int side, int n, Settings settings, flow::Model model = flow::Model::dataflow,
                      std::uint64_t seed = 1) {
  settings.s = n / side;
  Outcome outcome = outcome_of(n);
  comm::SimNetwork network(
      {.n_ranks = side * side * side, .seed = seed, .stack_bytes = 256 * 1024});
  const auto done = network.run([&](flow::Transport& transport) {
    flow::UniformPicker picker(seed + transport.rank()());
    run_rank(settings, model, 2, {.picker = &picker}, transport, network.clock(), outcome);
  });
  if (!done) outcome.error = done.error().message;
  return outcome;
}

}  // namespace thalweg::lulesh::testing
