// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <thalweg/predict/simulate.hpp>

namespace thalweg::predict {

/// The longest time that is simulated: 11 days.
inline constexpr std::int64_t longest_ns = 1'000'000'000'000'000;

/// A time that a simulation can add up; what is longer is cut to where it ends with an Error.
inline std::int64_t whole_ns(double ns) {
  return ns < static_cast<double>(longest_ns) ? std::llround(ns) : longest_ns;
}

/// How long a task of a rank takes in a replay [ns].
inline std::int64_t duration_ns(const Job& job, const Machine& machine, const Scenario& scenario,
                                std::uint32_t r, std::uint64_t replay, std::uint32_t task) {
  const JobNode& node = job.graph_of(r).nodes[task];
  double factor = machine.time_factor;
  if (!scenario.name_factors.empty()) factor *= scenario.name_factors[node.name];
  if (!scenario.rank_factors.empty()) factor *= scenario.rank_factors[r];
  if (scenario.has_spread && !job.spreads.empty())
    if (const auto& spread = job.spreads[node.name]; !spread.empty()) {
      const double u = uniform_of(~scenario.seed, r, replay, task);  // not that of the noise
      factor *= spread[static_cast<std::size_t>(u * static_cast<double>(spread.size()))];
    }
  if (machine.noise.kind != Noise::Kind::none)
    factor *= machine.noise.factor(uniform_of(scenario.seed, r, replay, task));
  if (!machine.noise.rank_quantiles.empty())
    factor *= machine.noise.rank_factor(uniform_of(scenario.seed, r, no_replay, 0));
  return factor == 1 ? node.value : whole_ns(factor * node.value);
}

}  // namespace thalweg::predict
