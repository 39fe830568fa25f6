// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <thalweg/app/context.hpp>
#include <thalweg/core/complaints.hpp>

namespace CLI {
class App;
}

namespace thalweg::app {

/// Refuse options whose value is "", which would be read as 0 where a number is meant.
/// @pre the words are parsed  @errors throws CLI::ValidationError that names the option
void refuse_empty_values(const CLI::App& command);

/// Read the words of a program that has a command line of its own.
/// @param words  what follows its name  @errors throws Error that says where the help is
void parse_words(CLI::App& command, std::span<const std::string> words);

/// Let a rank have so many threads, of which the model bulk takes one. @pre n >= 1
void set_threads(Execution& execution, std::uint32_t n);

/// What to say where threads have no effect, or must wait for each other; "": nothing.
/// @param name  of the setting: "--threads", or "run.threads ="
std::string warning_of_threads(std::string_view name, const Execution& execution);

/// Complain of what a prediction cannot heed: messages take what the machine's file says.
/// @param option  that messages are held back by: "--latency", or "run.latency_us ="
/// @errors throws Error
void expect_no_latency(std::string_view option, double latency_us);

/// How graphs are run, as options of a program that has a command line of its own: --model,
/// --threads, --latency, --progress, --ignore-priorities.
class ExecutionOptions {
 public:
  /// @pre this lives until the command line is read
  void add_to(CLI::App& command);

  /// What they ask for, once they are read, with a complaint for each that is wrong.
  Execution execution(Complaints& complaints) const;

 private:
  std::string model_ = "dataflow", progress_ = "idle";
  std::int64_t threads_ = 1;
  double latency_us_ = 0;
  bool ignores_priorities_ = false;
};

}  // namespace thalweg::app
