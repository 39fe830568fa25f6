// SPDX-License-Identifier: MIT
#include "command_taskbench.hpp"

#include <memory>
#include <string>
#include <string_view>

#include <thalweg/core/error.hpp>
#include <thalweg/taskbench/app.hpp>
#include <thalweg/taskbench/drive.hpp>

#include "on_ranks.hpp"

namespace thalweg {

namespace {

std::unique_ptr<taskbench::Runner> make_our_runner(taskbench::Runtime runtime,
                                                   const flow::ExecutorConfig& config,
                                                   flow::Transport& transport, const Clock& clock) {
  if (runtime != taskbench::Runtime::flow)
    throw Error(
        "-runtime openmp or starpu (this program has our executor alone); start thalweg-taskbench");
  return taskbench::make_flow_runner(config, transport, clock);
}

/// Lines for a log, which ends the last one itself.
std::string_view without_end(std::string_view lines) {
  if (lines.ends_with('\n')) lines.remove_suffix(1);
  return lines;
}

}  // namespace

Result<Facts> run_taskbench(const std::vector<std::string>& words, app::Runtime& runtime,
                            Logger& log) {
  std::vector<std::string> all{"taskbench"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  const auto options = taskbench::take_run_options(arguments);
  const taskbench::App app(static_cast<int>(arguments.size()), arguments.data());
  taskbench::check_memory(app.graphs, options, runtime.transport().n_ranks(),
                          runtime.context({}).memory_bytes);
  if (runtime.rank() == Rank{0}) taskbench::warn_of_unused_threads(options);
  // Ranks wait for each other as long as it takes.
  const auto context = context_of(runtime, {.executor = {.watchdog_s = 0}}, log);
  const auto seconds =
      taskbench::time_app(app, options, context.transport, context.clock, make_our_runner,
                          [&] { log.world(LogLevel::info, without_end(app.description())); });
  if (!seconds) return std::unexpected(seconds.error());
  log.world(LogLevel::info, without_end(app.report(*seconds)));
  const auto totals = app.totals();
  return Facts{{"n_tasks", std::int64_t{totals.tasks}},
               {"n_dependencies", std::int64_t{totals.dependencies}},
               {"n_flops", std::int64_t{totals.flops}},
               {"n_bytes", std::int64_t{totals.bytes}},
               {"elapsed_s", *seconds}};
}

int command_taskbench(const std::vector<std::string>& words) {
  const auto help = [] {
    return "thalweg taskbench: the graphs of Task Bench, on MPI ranks and threads.\n\n"
           "Usage: thalweg taskbench [OPTIONS]; the last of an option that is given twice "
           "counts\n\n" +
           taskbench::option_help() + "\n" + taskbench::run_option_help();
  };
  return on_ranks("taskbench", words, help, run_taskbench);
}

}  // namespace thalweg
