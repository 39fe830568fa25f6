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
                               const Scenario& scenario, double block_ns, const WhatIf* what_if) {
  Machine changed = machine;
  if (what_if != nullptr) apply(*what_if, changed);
  Refinement result{
      .mesh_ns = changed.time_factor * block_ns * static_cast<double>(job.n_blocks) +
                 static_cast<double>(job.n_collectives) * collective_ns(changed, job.n_ranks),
      .n_steps = job.n_steps};
  result.ns = result.mesh_ns;
  for (const Job& change : job.changes) {
    Machine here = machine;
    Scenario replay{.n_steps = 1,
                    .depth = 1,
                    .progress = scenario.progress,
                    .honours_priorities = scenario.honours_priorities,
                    .seed = scenario.seed};
    if (what_if != nullptr) apply(*what_if, change, here, replay);
    result.ns += static_cast<double>(simulate(change, here, replay).total_ns());
  }
  return result;
}

}  // namespace thalweg::predict
