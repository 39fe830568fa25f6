// SPDX-License-Identifier: MIT
#include "command_taskbench.hpp"

#include <memory>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>
#include <thalweg/taskbench/app.hpp>
#include <thalweg/taskbench/drive.hpp>

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

}  // namespace

Result<Facts> run_taskbench(const std::vector<std::string>& words, app::Runtime& runtime,
                            Logger& log) {
  std::vector<std::string> all{"taskbench"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  const auto options = taskbench::take_run_options(arguments);
  const taskbench::App app(static_cast<int>(arguments.size()), arguments.data());
  const auto context = context_of(runtime, {}, log);
  const auto seconds =
      taskbench::time_app(app, options, context.transport, context.clock, make_our_runner,
                          [&] { log.world(LogLevel::info, app.description()); });
  if (!seconds) return std::unexpected(seconds.error());
  log.world(LogLevel::info, app.report(*seconds));
  const auto totals = app.totals();
  return Facts{{"n_tasks", std::int64_t{totals.tasks}},
               {"n_dependencies", std::int64_t{totals.dependencies}},
               {"n_flops", std::int64_t{totals.flops}},
               {"n_bytes", std::int64_t{totals.bytes}},
               {"elapsed_s", *seconds}};
}

int command_taskbench(const std::vector<std::string>& words) {
  std::vector<std::string> all{"taskbench"};
  for (const std::string& word : words) {
    if (word == "-h" || word == "--help") {
      fmt::print("{}\n{}", taskbench::option_help(), taskbench::run_option_help());
      return 0;
    }
    all.push_back(word);
  }
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  arguments.push_back(nullptr);  // as main's, which MPI reads to its end
  return taskbench::drive<taskbench::App>(static_cast<int>(all.size()), arguments.data(),
                                          make_our_runner);
}

}  // namespace thalweg
