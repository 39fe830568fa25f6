// SPDX-License-Identifier: MIT
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/driver.hpp>
#include <thalweg/app/virtual_ranks.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/predict/machine.hpp>
#include <thalweg/predict/prediction.hpp>
#include <thalweg/predict/what_if.hpp>

#include "commands.hpp"

namespace thalweg::app {

namespace {

/// Numbers of ranks: one, or those of "P=first:last:factor".
std::vector<int> ranks_of(const PredictRequest& request) {
  const auto check = [](int n, const std::string& text) {
    if (n < 1 || n > n_virtual_ranks_at_most)
      throw Error(fmt::format("{} (there may be 1 to {} ranks); ask for fewer", text,
                              n_virtual_ranks_at_most));
    return n;
  };
  if (!request.sweep) return {check(request.n_ranks, fmt::format("--ranks {}", request.n_ranks))};
  const std::string& text = *request.sweep;
  int numbers[3] = {0, 0, 2};
  std::size_t n = 0;
  const char* at = text.data() + (text.starts_with("P=") ? 2 : 0);
  const char* const end = text.data() + text.size();
  for (bool more = true; more && n < 3; ++n) {
    const auto [stop, error] = std::from_chars(at, end, numbers[n]);
    if (error != std::errc()) break;
    more = stop != end && *stop == ':';
    at = more ? stop + 1 : stop;
  }
  if (!text.starts_with("P=") || n < 2 || at != end || numbers[2] < 2)
    throw Error(fmt::format(
        "--sweep {} (it reads P=first:last:factor, factor at least 2); P=1:64:4 is 1, 4, 16 and 64",
        text));
  std::vector<int> all;
  for (std::int64_t p = check(numbers[0], "--sweep " + text);
       p <= check(numbers[1], "--sweep " + text); p *= numbers[2])
    all.push_back(static_cast<int>(p));
  if (all.empty())
    throw Error(
        fmt::format("--sweep {} (there is no number in it); the last is the greater one", text));
  return all;
}

predict::Machine machine_of(const std::string& path) {
  const auto text = io::read_text(io::PosixFileSystem(), path);
  if (!text)
    throw Error(fmt::format("{} (--machine names a description of the machine); check the path",
                            text.error().message));
  return predict::read_machine(*text, path);
}

Result<predict::TaskTimes> times_for(const Application& application, const io::Deck& deck,
                                     const PredictRequest& request) {
  if (!request.trace) return measure_tasks(application, deck, request.n_steps, SteadyClock());
  const auto traces = read_trace_file(*request.trace);
  if (!traces) throw Error(traces.error().message);
  return predict::times_of(*traces);
}

/// Tasks that take no time because nobody knows theirs are said on stderr.
void warn_of_unknown(const predict::Job& job) {
  if (job.unknown_names.empty()) return;
  fmt::print(stderr,
             "warning: nothing is known of the times of {} ({} ranks; they count as none); give "
             "the trace of a run that has these tasks with --trace\n",
             fmt::join(job.unknown_names, ", "), job.ranks.size());
}

}  // namespace

int command_predict(std::span<const Application> applications, const PredictRequest& request) {
  const auto complain = [](std::string_view message, int code) {
    fmt::print(stderr, "error: {}\n", message);
    return code;
  };
  try {
    const auto n_ranks = ranks_of(request);
    if (request.n_steps < 2 || request.n_steps > 1000)
      throw Error(fmt::format(
          "--steps {} (must be 2 to 1000, as the first one does not count where times are "
          "measured); give 10",
          request.n_steps));
    std::vector<predict::WhatIf> what_ifs;
    for (const auto& text : request.what_ifs) what_ifs.push_back(predict::parse_what_if(text));
    const auto machine = machine_of(request.machine);
    io::PosixFileSystem files;
    if (request.target)
      if (const auto why = objection_to(files, *request.target, request.force); !why.empty())
        throw Error(why);
    std::vector<io::Deck> decks;
    std::vector<std::optional<std::string>> models(request.models.begin(), request.models.end());
    if (models.empty()) models.emplace_back();
    for (const auto& model : models)
      decks.push_back(load_for_virtual_ranks(applications, request.deck, request.overrides, model,
                                             request.threads));
    const auto& application = application_of(applications, decks.front());
    const auto times = times_for(application, decks.front(), request);
    if (!times) return complain(times.error().message, exit_failure);
    std::vector<predict::Prediction> predictions;
    for (const io::Deck& deck : decks)
      for (const int p : n_ranks) {
        const auto job = capture_job(application, deck, p, *times);
        if (!job) return complain(job.error().message, exit_failure);
        warn_of_unknown(*job);
        const Execution execution = execution_of(deck);
        predictions.push_back(
            predict::predict(*job, machine,
                             {.n_steps = static_cast<std::uint64_t>(request.n_steps),
                              .depth = execution.depth,
                              .progress = execution.progress,
                              .seed = request.seed},
                             execution.n_workers, flow::to_string(execution.model), what_ifs));
      }
    fmt::print("{}", predict::table_of(predictions));
    if (!request.target) return exit_success;
    const auto written =
        io::write_text(files, *request.target, predict::json_of(predictions, machine));
    return written ? exit_success : complain(written.error().message, exit_bad_request);
  } catch (const Error& error) {
    return complain(error.what(), exit_bad_request);
  }
}

}  // namespace thalweg::app
