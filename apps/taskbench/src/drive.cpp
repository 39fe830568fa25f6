// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/drive.hpp>

#include <charconv>

#include <fmt/format.h>

#include <thalweg/core/print_errors.hpp>

namespace thalweg::taskbench {
namespace {

std::uint32_t number(std::string_view option, std::string_view text, std::uint32_t most) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most)
    throw Error(fmt::format("{} {} (must be a number, 1 to {})", option, text, most));
  return value;
}

double microseconds(std::string_view option, std::string_view text) {
  constexpr double most = comm::LatencyTransport::most_us;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= 0 && value <= most)
    return value;
  throw Error(fmt::format("{} {} (must be a number of microseconds, 0 to {})", option, text, most));
}

/// @return whether it is one of our options
bool set(RunOptions& options, std::string_view name, std::string_view value) {
  if (name == "-threads") {
    options.n_threads = number(name, value, 1024);
  } else if (name == "-repeat") {
    options.n_timed_runs = number(name, value, 1'000'000);
  } else if (name == "-depth") {
    options.depth = number(name, value, 7);
  } else if (name == "-latency") {
    options.latency_us = microseconds(name, value);
  } else if (name == "-runtime") {
    const auto runtime = runtime_from_string(value);
    if (!runtime)
      throw Error(fmt::format("-runtime {} (there are flow, openmp and starpu)", value));
    options.runtime = *runtime;
  } else if (name == "-model") {
    const auto model = flow::model_from_string(value);
    if (!model)
      throw Error(fmt::format("-model {} (there are bulk, forkjoin, phase and dataflow)", value));
    options.model = *model;
  } else if (name == "-accounting") {
    if (value != "on" && value != "off")
      throw Error(fmt::format("-accounting {} (must be on or off)", value));
    options.accounting = value == "on" ? flow::Accounting::on : flow::Accounting::off;
  } else {
    return false;
  }
  return true;
}

}  // namespace

RunOptions take_run_options(std::vector<char*>& arguments) {
  RunOptions options;
  std::vector<char*> rest;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool has_value = i + 1 < arguments.size();
    if (i > 0 && set(options, arguments[i], has_value ? arguments[i + 1] : ""))
      ++i;
    else
      rest.push_back(arguments[i]);
  }
  arguments = rest;
  return options;
}

void warn_of_unused_threads(const RunOptions& options) {
  if (options.model == flow::Model::bulk && options.n_threads > 1)
    fmt::print(stderr,
               "warning: -threads {} has no effect in the model \"bulk\" (which has one worker a "
               "rank); take more ranks, or another model\n",
               options.n_threads);
}

std::string run_option_help() {
  return "  -threads     workers of each rank (1)\n"
         "  -model       bulk, forkjoin, phase or dataflow (dataflow)\n"
         "  -depth       windows of timesteps in flight, 1 to 7 (2)\n"
         "  -accounting  on: read the clock around every task, to measure what that costs: its "
         "times are not printed (off)\n"
         "  -latency     hold messages back until so long after they were sent [us] (0)\n"
         "  -repeat      timed runs, of which the fastest counts (1)\n";
}

int complain(Rank rank, std::string_view error) {
  if (rank == Rank(0)) print_errors(error);
  return 2;
}

}  // namespace thalweg::taskbench
