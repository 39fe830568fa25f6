// SPDX-License-Identifier: MIT
// What `thalweg predict` and `tune` say on stderr of what they leave out.
#pragma once
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/app/context.hpp>
#include <thalweg/app/virtual_program.hpp>
#include <thalweg/predict/job.hpp>
#include <thalweg/predict/machine.hpp>
#include <thalweg/predict/simulate.hpp>
#include <thalweg/predict/task_times.hpp>

namespace thalweg::app {

/// Tasks that take no time because nobody knows theirs are said on stderr.
void warn_of_unknown(const std::vector<std::string>& names, std::size_t n_ranks);
/// Say on stderr where the model takes one of several threads.
void warn_of_unused_threads(const std::vector<VirtualProgram>& programs);
/// Say on stderr what the machines have that slows no task of a job down, once for each of them.
/// @param are_said  those of which it was said
void warn_of_shared_memory(std::span<const predict::Machine> machines, const predict::Job& job,
                           std::set<std::size_t>& are_said);
/// Say on stderr that there is no memory to find the critical path of a job.
void warn_of_no_path(const predict::Job& job, const predict::Scenario& scenario);
/// Times that say nothing of refinements are complained of on stderr: a file may, a trace does.
void warn_of_no_refinements(const std::vector<VirtualProgram>& programs,
                            const predict::TaskTimes& times);
/// What of a program's execution is not simulated, and is left out; "": nothing.
/// @param name  of the setting: "--progress", or "run.progress ="
std::string warning_of_progress(std::string_view name, const Execution& execution);
/// Say on stderr where that is so of a deck.
void warn_of_progress(const Execution& execution);

}  // namespace thalweg::app
