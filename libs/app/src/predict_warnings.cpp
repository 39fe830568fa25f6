// SPDX-License-Identifier: MIT
#include "predict_warnings.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include <thalweg/app/execution_options.hpp>
#include <thalweg/core/counted.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/print_errors.hpp>
#include <thalweg/predict/critical_path.hpp>
#include <thalweg/predict/refinement.hpp>

namespace thalweg::app {

void warn_of_unknown(const std::vector<std::string>& names, std::size_t n_ranks) {
  if (names.empty()) return;
  print_to_stderr(
      "warning: nothing is known of the times of {} ({}; they count as none); give "
      "predict the trace of a run that has these tasks with --trace\n",
      joined_text(names), counted(static_cast<std::int64_t>(n_ranks), "rank"));
}

void warn_of_unused_threads(const std::vector<VirtualProgram>& programs) {
  for (const VirtualProgram& program : programs)
    if (program.execution.n_unused > 0) {
      print_to_stderr("warning: {}\n", warning_of_threads("--threads", program.execution));
      return;
    }
}

void warn_of_shared_memory(std::span<const predict::Machine> machines, const predict::Job& job,
                           std::set<std::size_t>& are_said) {
  for (std::size_t m = 0; m < machines.size(); ++m)
    if (const auto warning = predict::warning_of_shared_memory(machines[m], job);
        !warning.empty() && are_said.insert(m).second)
      print_to_stderr("warning: {}\n", warning);
}

void warn_of_no_path(const predict::Job& job, const predict::Scenario& scenario) {
  print_to_stderr(
      "warning: the critical path of {} is left out (it needs {:.3g} GiB, more than are free); "
      "give fewer --steps\n",
      counted(static_cast<std::int64_t>(job.ranks.size()), "rank"),
      static_cast<double>(predict::bytes_of_path(job, scenario)) / 0x1p30);
}

void warn_of_no_refinements(const std::vector<VirtualProgram>& programs,
                            const predict::TaskTimes& times) {
  if (times.is_known(predict::mesh_time_name)) return;
  const auto first =
      std::ranges::find_if(programs, [](const auto& each) { return bool(each.refinement); });
  if (first == programs.end()) return;
  print_to_stderr(
      "warning: {}s are left out (the times that are given have no '{}', which says what "
      "they take beside tasks); leave out --times and --trace to have it measured\n",
      first->refinement->name, predict::mesh_time_name);
}

std::string warning_of_progress(std::string_view name, const Execution& execution) {
  if (execution.executor.progress != flow::Progress::thread) return {};
  return fmt::format(
      "{} thread has no effect (a thread that polls MPI is not simulated, so messages are seen as "
      "with idle); set it to idle or task_boundary",
      name);
}

void warn_of_progress(const Execution& execution) {
  if (const auto warning = warning_of_progress("run.progress =", execution); !warning.empty())
    print_to_stderr("warning: {}\n", warning);
}

}  // namespace thalweg::app
