// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include <thalweg/predict/job.hpp>
#include <thalweg/predict/machine.hpp>
#include <thalweg/predict/simulate.hpp>
#include <thalweg/predict/what_if.hpp>

namespace thalweg::predict {

/// The name under which TaskTimes has what a refinement takes a rank for each of its blocks beside
/// tasks: to find out what changes and who will own it, and to record it as graphs.
inline constexpr std::string_view mesh_time_name = "mesh";

/// A refinement of a mesh, the data's part of which is tasks.
struct RefinementJob {
  int n_ranks = 1;
  std::vector<Job> changes{};      ///< one after another: new blocks made of old ones, or moved
  std::int64_t n_blocks = 0;       ///< before it, of the rank that has most
  std::int64_t n_collectives = 0;  ///< that find out what changes
  std::int64_t n_steps = 1;        ///< from one to the next
};

/// What a refinement takes.
struct Refinement {
  double ns = 0;
  double mesh_ns = 0;  ///< of this, beside tasks and their messages
  std::int64_t n_steps = 1;
  std::string_view name = "refinement";  ///< what the program calls one

  /// What a step's share of one takes.
  double ns_a_step() const { return ns / static_cast<double>(n_steps); }
  /// Its part of the time of a run whose steps take so long.
  double share(double step_ns) const { return ns / (ns + static_cast<double>(n_steps) * step_ns); }
};

/// Simulate a refinement: its graphs one after another, each of which all ranks wait for. The rest
/// is what the rank with most blocks does, and a message to and fro over a tree of all ranks for
/// each collective; of these messages the sizes do not count.
/// @param scenario  of the steps; one replay of each graph is simulated, with its seed
/// @param block_ns  mesh_time_name's
/// @param what_if   a change of it all but of `block_ns`; null: none
Refinement simulate_refinement(const RefinementJob& job, const Machine& machine,
                               const Scenario& scenario, double block_ns,
                               const WhatIf* what_if = nullptr);

}  // namespace thalweg::predict
