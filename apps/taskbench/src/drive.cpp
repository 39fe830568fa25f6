// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/drive.hpp>

#include <algorithm>
#include <charconv>
#include <numeric>

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

/// What is recorded of a task, and of each of its inputs, takes so many bytes at least; on one rank
/// 430 and 70 were seen.
constexpr double bytes_of_task = 300, bytes_of_input = 60;

/// Bytes of a graph on the rank that has most of it, at least: buffers of its widest timesteps,
/// where those of all points are, and what is noted of each timestep. What ranks receive comes on
/// top, and what they record.
double bytes_of_rank(const TaskGraph& g, int n_ranks, std::uint32_t n_workers) {
  const long width = g.width_at_timestep(std::min(g.max_width, g.timesteps) - 1);
  const bool is_constant = g.width_at_timestep(0) == g.max_width;
  const auto n_copies = static_cast<double>(is_constant ? detail::n_copies(g) : 1);
  const auto n_points = static_cast<double>((width + n_ranks - 1) / n_ranks);
  return n_copies * n_points * static_cast<double>(g.output_bytes_per_task) +
         static_cast<double>(detail::n_copies(g)) * static_cast<double>(g.max_width) *
             sizeof(detail::Lines) +
         n_workers * static_cast<double>(g.scratch_bytes_per_task) +
         static_cast<double>(g.timesteps) * sizeof(GraphStep);
}

/// How many inputs a point in the middle of a timestep has.
double inputs_in_the_middle(const TaskGraph& g, long timestep) {
  const auto [first, end] = detail::active(g, timestep);
  const auto [first_before, end_before] = detail::active(g, timestep - 1);
  long n = 0;
  for (const auto& [from, to] :
       g.dependencies(g.dependence_set_at_timestep(timestep), first + (end - first) / 2))
    n += std::max(0L, std::min(to + 1, end_before) - std::max(from, first_before));
  return static_cast<double>(n);
}

/// Add what a rank records of each graph.
void add_recorded_bytes(const std::vector<TaskGraph>& graphs, int n_ranks,
                        std::vector<double>& bytes) {
  for (const Segment& segment : segments_of(graphs, n_ranks))
    for (long t = segment.first_step; t < segment.first_step + segment.n_steps; ++t)
      for (std::size_t i = 0; i < graphs.size(); ++i) {
        // The first of a window that is replayed is recorded as those of later replays.
        const long step = t == 0 && segment.n_replays > 1 ? segment.n_steps : t;
        const auto [first, end] = detail::active(graphs[i], step);
        bytes[i] += static_cast<double>(end - first) / n_ranks *
                    (bytes_of_task + bytes_of_input * inputs_in_the_middle(graphs[i], step));
      }
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
    print_to_stderr(
        "warning: -threads {} has no effect in the model \"bulk\" (which has one worker a "
        "rank); take more ranks, or another model\n",
        options.n_threads);
}

void check_memory(const std::vector<TaskGraph>& graphs, const RunOptions& options, int n_ranks,
                  std::size_t memory_bytes) {
  if (memory_bytes == 0) return;
  const std::uint32_t n_workers = options.model == flow::Model::bulk ? 1 : options.n_threads;
  std::vector<double> bytes;
  for (const TaskGraph& g : graphs) bytes.push_back(bytes_of_rank(g, n_ranks, n_workers));
  const auto refuse_too_many = [&] {
    const double needed = std::accumulate(bytes.begin(), bytes.end(), 0.0);
    if (needed <= static_cast<double>(memory_bytes)) return;
    const auto most = std::ranges::max_element(bytes) - bytes.begin();
    const TaskGraph& largest = graphs[static_cast<std::size_t>(most)];
    throw Error(fmt::format(
        "-type {} -steps {} -width {} -output {} -scratch {} (a rank needs {:.1f} GiB, and there "
        "are {:.1f}); lower what is large, or take more ranks",
        to_string(largest.dependence), largest.timesteps, largest.max_width,
        largest.output_bytes_per_task, largest.scratch_bytes_per_task, needed / 0x1p30,
        static_cast<double>(memory_bytes) / 0x1p30));
  };
  refuse_too_many();  // before timesteps are listed
  add_recorded_bytes(graphs, n_ranks, bytes);
  refuse_too_many();
}

std::string run_option_help() {
  return "  -threads     threads of each rank (1)\n"
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
