// SPDX-License-Identifier: MIT
#include "predict_times.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <variant>

#include <fmt/format.h>

#include <thalweg/app/free_memory.hpp>
#include <thalweg/app/processor_clock.hpp>
#include <thalweg/app/virtual_ranks.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/print_errors.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/io/plotfile_read.hpp>
#include <thalweg/predict/refinement.hpp>

namespace thalweg::app {

std::string text_of_option(const std::string& path, std::string_view option,
                           std::string_view what) {
  auto text = io::read_text(io::PosixFileSystem(), path);
  if (!text)
    throw Error(
        fmt::format("{} ({} names {}); check the path", text.error().message, option, what));
  return *std::move(text);
}

predict::TimesOf times_of_deck(const Application& application, const io::Deck& deck) {
  predict::TimesOf of{.program = application.name};
  for (const char* key : {"mesh.dim", "run.grain"})
    if (deck.is_declared(key)) of.settings[key] = io::toml_text(deck.any(key));
  if (deck.is_declared("mesh.block_cells")) {
    std::vector<std::int64_t> cells = deck.integers("mesh.block_cells");
    cells.resize(static_cast<std::size_t>(deck.integer("mesh.dim")), cells.back());
    of.settings["mesh.block_cells"] = io::toml_text(cells);
  }
  for (const io::Parameter& parameter : application.parameters) {
    const io::DeckValue& value = deck.any(parameter.name);
    const bool is_choice = std::holds_alternative<std::int64_t>(value) ||
                           std::holds_alternative<bool>(value) ||
                           std::holds_alternative<std::string>(value) ||
                           std::holds_alternative<std::vector<std::int64_t>>(value);
    if (is_choice) of.details[parameter.name] = io::toml_text(value);
  }
  return of;
}

namespace {

/// What the times in a trace are of, as far as a plotfile of the run beside it says.
std::optional<predict::TimesOf> times_of_run(const Program& program, const std::string& trace) {
  const std::filesystem::path path(trace);
  if (path.filename() != "trace.pftrace") return std::nullopt;
  const io::PosixFileSystem files;
  const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
  const auto text = io::read_text(files, io::last_plotfile(files, folder) + "/deck.toml");
  if (!text) return std::nullopt;
  try {
    const auto deck = load_deck(program.applications, *text, trace);
    return times_of_deck(application_of(program.applications, deck), deck);
  } catch (const Error&) {
    return std::nullopt;  // of another version, or program
  }
}

/// What a source of times does not say of its run nobody can compare with what is predicted.
/// @param source  as it was given  @param why  it does not say it
void warn_of_settings(std::string_view source, std::string_view why, const std::string& subject) {
  print_to_stderr(
      "warning: nothing is known of the settings that {} is of ({}, and tasks of a name "
      "take other times with others); make sure that it is of {}, or leave it out to have "
      "times measured\n",
      source, why, subject);
}

}  // namespace

void check_memory_to_time(const VirtualProgram& program, std::uint64_t free_bytes) {
  const double needed = program.n_ranks_timed * program.bytes_of_rank_timed;
  const auto there = static_cast<double>(free_bytes);
  if (free_bytes == 0 || needed <= there) return;
  throw Error(fmt::format(
      "{} ranks of {:.1f} GiB each, on which tasks would be timed ({:.1f} GiB are free here); give "
      "the times of tasks with --times, as --save-times leaves them where there is more memory, or "
      "choose a smaller problem",
      program.n_ranks_timed, program.bytes_of_rank_timed / 0x1p30, there / 0x1p30));
}

void check_times(const predict::Job& job, const PredictRequest& request) {
  const auto is_known = [&](const predict::JobNode& node) {
    return node.kind == flow::NodeKind::task &&
           std::ranges::find(job.unknown_names, job.names[node.name]) == job.unknown_names.end();
  };
  if (!request.trace && !request.times) return;
  for (const predict::RankGraph& graph : job.graphs)
    if (std::ranges::any_of(std::span(graph.nodes).first(graph.n_nodes()), is_known)) return;
  if (job.unknown_names.empty())
    throw Error(
        fmt::format("{} has no tasks in a step (there is nothing to predict); choose a larger "
                    "problem",
                    request.command.empty() ? request.deck : request.command));
  throw Error(fmt::format(
      "{} {} (it has times of none of the tasks of a step: {}); give those of this program",
      request.trace ? "--trace" : "--times", request.trace ? *request.trace : *request.times,
      joined_text(job.unknown_names)));
}

std::string PredictTimes::subject() const {
  if (request_.command.empty())
    return request_.deck.empty() ? "this checkpoint's deck" : fmt::format("'{}'", request_.deck);
  std::vector<std::string> words{request_.command};
  words.insert(words.end(), request_.words.begin(), request_.words.end());
  return fmt::format("'{}'", joined_text(words, " "));
}

predict::TimesOf PredictTimes::of_workers(std::uint32_t n_workers) const {
  predict::TimesOf of = of_;
  if (!request_.command.empty()) of.details["threads"] = std::to_string(n_workers);
  return of;
}

predict::TaskTimes PredictTimes::read_trace() const {
  const auto traces = read_trace_file(*request_.trace);
  auto times = predict::times_of(traces);
  if (times.fits().empty())
    throw Error(fmt::format("--trace {} (there is no task of a step in it); trace steps of the run",
                            *request_.trace));
  if (request_.command.empty())
    if (auto of = times_of_run(program_, *request_.trace)) {
      times.set_of(*std::move(of));
      return times;
    }
  warn_of_settings("--trace " + *request_.trace, "they are not in a trace", subject());
  if (!request_.command.empty())  // its name is not in a trace, but its workers are
    times.set_of({request_.command, {}, {{"threads", std::to_string(traces.front().n_workers())}}});
  return times;
}

predict::TaskTimes PredictTimes::read() const {
  auto times = request_.trace ? read_trace()
                              : predict::read_task_times(text_of_option(*request_.times, "--times",
                                                                        "a file of task times"),
                                                         *request_.times);
  if (request_.times && times.of().program.empty())
    warn_of_settings("--times " + *request_.times, "it has no program in [of]", subject());
  check(times.of());
  return times;
}

void PredictTimes::check(const predict::TimesOf& there) const {
  const std::string source =
      request_.trace ? "--trace " + *request_.trace : "--times " + *request_.times;
  std::set<std::string> possible;
  for (const VirtualProgram& each : programs_) {
    const auto found = predict::differences(there, of_workers(each.execution.executor.n_workers));
    if (!found.certain.empty())
      throw Error(fmt::format(
          "{} is of other tasks ({}, and tasks of a name take other times there); give times of "
          "this, or leave them out to have them measured",
          source, joined_text(found.certain)));
    possible.insert(found.possible.begin(), found.possible.end());
  }
  if (!possible.empty())
    print_to_stderr(
        "warning: {} may be of other tasks ({}, and tasks of a name may take other times "
        "there); leave it out to have them measured\n",
        source, joined_text(possible));
}

Result<predict::TaskTimes> PredictTimes::measure(std::uint32_t n_workers) const {
  // On the most ranks first: they have the most kinds of tasks. Those that fewer ranks alone have
  // are timed there.
  std::map<int, std::vector<const VirtualProgram*>, std::greater<>> by_ranks;
  for (const VirtualProgram& each : programs_)
    if (each.execution.executor.n_workers == n_workers)
      by_ranks[each.n_ranks_timed].push_back(&each);
  std::optional<predict::TaskTimes> times;
  for (const auto& [n_ranks, alike] : by_ranks) {
    const VirtualProgram* missing = times ? nullptr : alike.front();
    for (std::size_t i = 0; i < alike.size() && missing == nullptr; ++i) {
      const auto job = capture_job(*alike[i], *times);
      if (!job) return std::unexpected(job.error());
      if (!job->unknown_names.empty()) missing = alike[i];
    }
    if (missing == nullptr) continue;
    check_memory_to_time(*missing, FreeMemory().bytes());
    auto measured = measure_tasks(*missing, request_.n_steps, ProcessorClock());
    if (!measured) return std::unexpected(measured.error());
    if (times)
      times->add_unknown(*measured);
    else
      times = *std::move(measured);
  }
  times->set_of(of_workers(n_workers));
  return *std::move(times);
}

Result<const predict::TaskTimes*> PredictTimes::of(const VirtualProgram& each) {
  const std::uint32_t n_workers = are_given() ? 0 : each.execution.executor.n_workers;
  if (const auto it = known_.find(n_workers); it != known_.end()) return &it->second;
  if (are_given()) return &known_.emplace(n_workers, read()).first->second;
  auto times = measure(n_workers);
  if (!times) return std::unexpected(times.error());
  return &known_.emplace(n_workers, *std::move(times)).first->second;
}

Result<void> check_what_ifs(const std::vector<VirtualProgram>& programs, PredictTimes& all_times,
                            std::span<const predict::WhatIf> what_ifs) {
  const auto has_kernel = [](const predict::WhatIf& what_if) {
    return std::ranges::any_of(what_if.changes, [](const predict::Change& change) {
      return change.what == predict::Change::What::kernel;
    });
  };
  if (std::ranges::none_of(what_ifs, has_kernel)) return {};
  predict::TaskTimes known;
  for (const VirtualProgram& each : programs) {
    const auto times = all_times.of(each);
    if (!times) return std::unexpected(times.error());
    known.add_unknown(with_joined(**times, each.n_joined_blocks));
  }
  std::vector<std::string> names;
  for (const auto& [name, fit] : known.fits())
    if (name != predict::mesh_time_name) names.push_back(name);
  for (const predict::WhatIf& what_if : what_ifs)
    for (const predict::Change& change : what_if.changes)
      if (!concerns(change, names))
        throw Error(fmt::format("--what-if {} (there are no times of tasks '{}'); there are {}",
                                what_if.text, change.kernel, joined_text(names)));
  return {};
}

}  // namespace thalweg::app
