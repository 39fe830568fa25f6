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
