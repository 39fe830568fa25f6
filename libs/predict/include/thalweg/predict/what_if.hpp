// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/predict/job.hpp>
#include <thalweg/predict/machine.hpp>
#include <thalweg/predict/simulate.hpp>

namespace thalweg::predict {

/// A change of a machine or of a program's tasks.
struct Change {
  enum class What : std::uint8_t { latency, bandwidth, overhead, eager, noise, kernel, balance };

  What what = What::latency;
  double factor = 1;     ///< of latency, bandwidth, overhead (of messages and tasks), kernel
  std::string kernel{};  ///< name of tasks
};

/// Changes that are made together, to see what they would gain.
struct WhatIf {
  std::string text;  ///< as it was asked for
  std::vector<Change> changes;
};

/// Read "latency=0.5x", "bandwidth=2x", "overhead=0x", "eager=always", "noise=0",
/// "kernels.NAME=0.5x" or "balance=perfect", or several of them with commas between.
/// @errors Error saying what there is
WhatIf parse_what_if(std::string_view text);

/// Whether all changes make messages or tasks cheaper and nothing dearer: what takes longer with
/// them does so because things are done in another order.
bool removes_cost(const WhatIf& what_if);
/// Whether a change is of anything that there is: that of a kernel is of tasks of its name.
bool concerns(const Change& change, std::span<const std::string> task_names);
/// Change a machine, as far as changes are those of machines.
void apply(const WhatIf& what_if, Machine& machine);
/// Change what a simulation is made of: nothing, where a change does not concern the job. `balance`
/// comes after all others. It gives all ranks that have work as much to do, slow ranks less, over
/// the whole step: between barriers they may have less alike work than before, so it is no bound.
void apply(const WhatIf& what_if, const Job& job, Machine& machine, Scenario& scenario);

}  // namespace thalweg::predict
