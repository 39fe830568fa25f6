// SPDX-License-Identifier: MIT
#include <thalweg/predict/refinement.hpp>

#include <bit>

namespace thalweg::predict {
namespace {

/// A message to a rank and one back for each level of a tree of ranks.
double collective_ns(const Machine& machine, int n_ranks) {
  const Link& link = n_ranks <= machine.ranks_per_node ? machine.memory : machine.network;
  return 2 * static_cast<double>(std::bit_width(static_cast<unsigned>(n_ranks - 1))) *
         (link.latency_ns + 2 * link.overhead_ns);
}

}  // namespace

Refinement simulate_refinement(const RefinementJob& job, const Machine& machine,
                               const Scenario& scenario, double block_ns) {
  Refinement result{
      .mesh_ns = machine.time_factor * block_ns * static_cast<double>(job.n_blocks) +
                 static_cast<double>(job.n_collectives) * collective_ns(machine, job.n_ranks),
      .n_steps = job.n_steps};
  result.ns = result.mesh_ns;
  for (const Job& change : job.changes)
    result.ns += static_cast<double>(simulate(change, machine,
                                              {.n_steps = 1,
                                               .depth = 1,
                                               .progress = scenario.progress,
                                               .honours_priorities = scenario.honours_priorities,
                                               .seed = scenario.seed})
                                         .total_ns());
  return result;
}

}  // namespace thalweg::predict
