// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/totals.hpp>

#include <algorithm>
#include <array>
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
        options.stages_per_ts == 0 ? 0 : (options.stages_per_ts - 1) / options.checksum_freq + 1;
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
  const std::array to{&facts.compute, &facts.comm, &facts.both, &facts.gridsum, &facts.refine};
  // Some timesteps at once, so that no rank has a list of all ranks' or of all timesteps'.
  using SomeSteps = std::array<std::array<StepSpread, to.size()>, 64>;
  for (std::size_t first = 0; first < n_steps; first += SomeSteps().size()) {
    SomeSteps mine{};
    const std::size_t n = std::min(mine.size(), n_steps - first);
    for (std::size_t i = 0; i < n; ++i) {
      const StepTimes& step = steps[first + i];
      const std::array times_s{step.compute_s, step.comm_s, step.compute_s + step.comm_s,
                               step.gridsum_s, refine_s[first + i]};
      for (std::size_t k = 0; k < to.size(); ++k) mine[i][k] = {times_s[k], times_s[k]};
    }
    const SomeSteps all = collectives.all_reduce(mine, [](SomeSteps a, const SomeSteps& b) {
      for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < a[i].size(); ++k) a[i][k] = of_both(a[i][k], b[i][k]);
      return a;
    });
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < to.size(); ++k) to[k]->add(all[i][k]);
  }
}

}  // namespace thalweg::miniamr
