// SPDX-License-Identifier: MIT
#include <thalweg/app/execution_options.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <thalweg/app/option_words.hpp>
#include <thalweg/app/processors.hpp>
#include <thalweg/comm/transport_latency.hpp>
#include <thalweg/core/counted.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::app {
namespace {

constexpr std::int64_t most_threads = 1024;

/// Who polls MPI, as run.progress of a deck has it.
const Choices<flow::Progress> progress_modes{{"idle", flow::Progress::idle},
                                             {"task_boundary", flow::Progress::task_boundary},
                                             {"thread", flow::Progress::thread}};

}  // namespace

void refuse_empty_values(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    if (!option->get_positional() && std::ranges::count(option->results(), "") > 0)
      throw CLI::ValidationError(
          fmt::format("{} '' (no value); give one, or leave the option out", option->get_name()));
  for (const CLI::App* inner : command.get_subcommands()) refuse_empty_values(*inner);
}

void parse_words(CLI::App& command, std::span<const std::string> words) {
  try {
    command.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    refuse_empty_values(command);
  } catch (const CLI::CallForHelp&) {  // whoever prints it does not come here
    throw Error(fmt::format("--help among the words of a run (nothing would be run); see {} --help",
                            command.get_name()));
  } catch (const CLI::ParseError& error) {
    throw Error(fmt::format("{}; see {} --help", error.what(), command.get_name()));
  }
}

void set_threads(Execution& execution, std::uint32_t n) {
  execution.executor.n_workers = execution.model == flow::Model::bulk ? 1 : n;
  execution.n_unused = n - execution.executor.n_workers;
}

void expect_no_latency(std::string_view option, double latency_us) {
  if (latency_us != 0)
    throw Error(fmt::format(
        "{} {} (messages take what the file of the machine says); set it to 0, or give a machine "
        "whose network.latency_us is larger",
        option, latency_us));
}

std::string warning_of_threads(std::string_view name, const Execution& execution) {
  const auto n_allowed = allowed_processors().size();
  const auto asked = fmt::format("{} {}", name, execution.executor.n_workers + execution.n_unused);
  if (execution.n_unused > 0)
    return fmt::format(
        "{} has no effect in the model \"bulk\" (which has one worker per rank); take more ranks, "
        "or another model",
        asked);
  if (n_allowed == 0 || execution.executor.n_workers <= n_allowed) return {};
  auto text =
      fmt::format("{} on {}, all that rank 0 may use: workers will wait for each other; take fewer",
                  asked, counted(static_cast<std::int64_t>(n_allowed), "processor"));
  if (n_allowed < n_online_processors())
    text += fmt::format(
        ", or have ranks bound to more of them, with Open MPI by mpirun --map-by slot:PE={}",
        execution.executor.n_workers);
  return text;
}

void ExecutionOptions::add_to(CLI::App& command) {
  command.add_option("--model", model_, "bulk, forkjoin, phase or dataflow (dataflow)");
  command.add_option("--threads", threads_, "Threads of each rank; the model bulk has one (1)");
  command.add_option("--latency", latency_us_, "Hold messages back for so long [us] (0)");
  command.add_option("--progress", progress_,
                     "Who polls MPI: idle workers, each after every task (task_boundary), or a "
                     "thread of its own; idle, task_boundary, thread (idle)");
  command.add_flag("--ignore-priorities", ignores_priorities_,
                   "Run what is ready in the order in which it became so");
}

Execution ExecutionOptions::execution(Complaints& complaints) const {
  Execution execution{.latency_us = latency_us_,
                      .executor = {.honours_priorities = !ignores_priorities_}};
  if (const auto found = flow::model_from_string(model_))
    execution.model = *found;
  else
    complaints.add(fmt::format(
        "--model {} (there is no such one); give bulk, forkjoin, phase or dataflow", model_));
  choose(progress_modes, "--progress", progress_, execution.executor.progress, complaints);
  if (threads_ < 1 || threads_ > most_threads)
    complaints.add(
        fmt::format("--threads {} (must be in 1..{}); change it", threads_, most_threads));
  else
    set_threads(execution, static_cast<std::uint32_t>(threads_));
  constexpr double most_us = comm::LatencyTransport::most_us;
  if (!(latency_us_ >= 0 && latency_us_ <= most_us))
    complaints.add(fmt::format("--latency {} (must be in 0..{:g} microseconds); change it",
                               latency_us_, most_us));
  return execution;
}

}  // namespace thalweg::app
