// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

#include <thalweg/app/virtual_program.hpp>

namespace thalweg::taskbench {

/// What a command line is on so many virtual ranks, for `thalweg predict`, whose --model and
/// --threads are -model and -threads here.
///
/// A step is the window of timesteps that is replayed, the size of the problem how many these are.
/// @errors as App and take_run_options; Error where no window is replayed
app::VirtualProgram virtual_program(std::span<const std::string> words, int n_ranks);

}  // namespace thalweg::taskbench
