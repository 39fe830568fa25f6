// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/totals.hpp>

#include <cstddef>
#include <cstdint>

namespace thalweg::miniamr {

void add_refinements(const RefinementTotals& totals, Measured& mine, RunFacts& facts) {
  mine.n_dots = static_cast<double>(totals.n_dots);
  mine.max_dots = static_cast<double>(totals.max_dots);
  mine.n_split = static_cast<double>(totals.n_split);
  mine.n_reformed = static_cast<double>(totals.n_joined);
  mine.n_moved_balance = static_cast<double>(totals.n_moved_balance);
  mine.n_moved_redistribute = static_cast<double>(totals.n_moved_redistribute);
  mine.n_moved_coarsen = static_cast<double>(totals.n_moved_join);
  facts.n_refinements = totals.n_stages;
  facts.n_balances = totals.n_balances;
  facts.n_redistributions = totals.n_redistributions;
}

void count_operations(const Options& options, const data::Flops& mixed, RunFacts& facts) {
  if (options.checksum_freq > 0) {
    const int per_step =
        (options.stages_per_ts + options.checksum_freq - 1) / options.checksum_freq;
    facts.n_reductions = std::int64_t{facts.n_steps} * per_step * options.num_vars;
  }
  if (options.stencil == Stencil::mixed) {
    facts.n_adds = static_cast<double>(mixed.adds);
    facts.n_multiplies = static_cast<double>(mixed.multiplies);
    facts.n_divides = static_cast<double>(mixed.divides);
    return;
  }
  const double n_updates = static_cast<double>(facts.total_blocks) *
                           static_cast<double>(product(options.block_cells)) * options.num_vars;
  facts.n_adds = n_updates * (options.stencil == Stencil::seven ? 6 : 26);
  facts.n_divides = n_updates;
}

void add_up_steps(std::vector<StepTimes> steps, std::vector<double> refine_s,
                  exchange::TransportCollectives& collectives, RunFacts& facts) {
  const auto n_steps = static_cast<std::size_t>(facts.n_steps);
  steps.resize(n_steps);
  refine_s.resize(n_steps);
  const auto add = [&](StepSpread& to, auto of_step) {
    std::vector<double> mine;
    for (std::size_t i = 0; i < n_steps; ++i) mine.push_back(of_step(i));
    const auto all = collectives.all_gather_many(std::span<const double>(mine));
    for (std::size_t i = 0; i < n_steps; ++i) {
      std::vector<double> of_ranks;
      for (std::size_t at = i; at < all.size(); at += n_steps) of_ranks.push_back(all[at]);
      to.add(of_ranks);
    }
  };
  add(facts.compute, [&](std::size_t i) { return steps[i].compute_s; });
  add(facts.comm, [&](std::size_t i) { return steps[i].comm_s; });
  add(facts.both, [&](std::size_t i) { return steps[i].compute_s + steps[i].comm_s; });
  add(facts.gridsum, [&](std::size_t i) { return steps[i].gridsum_s; });
  add(facts.refine, [&](std::size_t i) { return refine_s[i]; });
}

}  // namespace thalweg::miniamr
