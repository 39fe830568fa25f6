// SPDX-License-Identifier: MIT
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/driver.hpp>
#include <thalweg/app/job.hpp>
#include <thalweg/app/lone_rank.hpp>
#include <thalweg/app/output_folder.hpp>
#include <thalweg/app/requests.hpp>
#include <thalweg/app/runtime.hpp>
#include <thalweg/core/complaints.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/exception_words.hpp>
#include <thalweg/core/print_errors.hpp>
#include <thalweg/io/deck.hpp>

#include "commands.hpp"

namespace thalweg::app {

void put_words_in_place(std::string& deck, std::vector<std::string>& overrides) {
  const bool is_half = !overrides.empty() && overrides.front().starts_with('=');  // of key = value
  if (deck.find('=') == std::string::npos && !is_half) return;
  overrides.insert(overrides.begin(), std::exchange(deck, ""));
}

namespace {

RunRequest with_words_in_place(RunRequest request) {
  if (request.restart) put_words_in_place(request.deck, request.overrides);
  request.overrides = joined_settings(request.overrides);
  return request;
}

// @errors throws Error where an option and a setting give one key two values: one would do nothing
void check_options(const RunRequest& request) {
  Complaints complaints;
  const auto bare = [](std::string text) {  // blanks and quotes make no difference
    std::erase_if(text, [](char c) { return std::string_view(" '\"").contains(c); });
    return text;
  };
  const auto check = [&](std::string_view option, const std::string& value, std::string_view key) {
    const std::string wanted = bare(fmt::format("{}={}", key, value));
    for (const std::string& word : request.overrides)
      if (bare(word).starts_with(wanted.substr(0, key.size() + 1)) && bare(word) != wanted)
        complaints.add(
            fmt::format("{} {} and {} (each says what {} is, and one of them would have "
                        "no effect); leave one out",
                        option, value, word, key));
  };
  if (request.folder) check("--out", *request.folder, "output.folder");
  if (request.model) check("--model", *request.model, "run.model");
  if (request.threads) check("--threads", std::to_string(*request.threads), "run.threads");
  complaints.throw_if_any();
}

// The machine that a dry run predicts a step for, if there is one. Collective.
std::optional<predict::Machine> machine_of(const RunRequest& request, Runtime& runtime) {
  if (request.machine && !request.dry_run)
    throw Error("--machine (a run needs no description of its machine); add --dry-run");
  std::string path = request.machine.value_or("");
  if (!request.machine && request.dry_run) {
    const bool is_there = std::filesystem::exists(machine_file_name);
    path = broadcast(runtime.transport(), is_there ? machine_file_name : "");
  }
  if (path.empty()) return {};
  const auto text =
      read_text_everywhere(runtime.transport(), runtime.files(), path,
                           "--machine names a description of the machine to predict steps for");
  return predict::read_machine(text, path);
}

// What a run would take and, on a machine that is known, how long its steps.
int describe(const Application& application, const io::Deck& deck,
             const std::optional<Checkpoint>& from, const std::optional<predict::Machine>& machine,
             Runtime& runtime) {
  auto context = runtime.context(execution_of(deck));
  context.log.world(LogLevel::info, deck.to_toml());
  for (const std::string& text : deck.without_effect()) context.log.world(LogLevel::warn, text);
  const auto setup = set_up(application, deck);
  for (const std::string& text : setup->warnings()) context.log.world(LogLevel::warn, text);
  if (from)
    if (const auto lack = check_functions(*from, {}, *setup); !lack.empty())
      context.log.world(LogLevel::warn, lack);
  if (const auto first = from ? "" : first_estimate(application, deck); !first.empty())
    context.log.world(LogLevel::info, first);
  const auto done = estimate(application, deck, context, from, [&](const std::string& text) {
    context.log.world(LogLevel::info, text);
  });
  if (!done) runtime.transport().abort("error: " + done.error().message);
  if (machine)
    if (const auto warning = predict::warning_of_ranks_per_node(*machine); !warning.empty())
      context.log.world(LogLevel::warn, warning);
  if (machine && runtime.rank() == Rank{0}) {
    std::optional<RestartPoint> point;
    if (from) point.emplace(runtime.files(), *from);
    const auto predicted = predicted_step(application, deck, runtime.transport().n_ranks(),
                                          *machine, point ? &*point : nullptr);
    context.log.world(LogLevel::info,
                      predicted
                          ? fmt::format("on the machine \"{}\", with tasks as they are here:\n{}",
                                        machine->name, *predicted)
                          : "no prediction: " + predicted.error().message);
  }
  return exit_code_of_printed(exit_success);
}

// Of a dry run, which needs no folder: that a run would be refused.
void warn_of_folder(const Job& job, const std::string& folder, Runtime& runtime) {
  try {
    check_output_folder(runtime.transport(), runtime.files(), folder, job.existing,
                        job.deck.string(identity_key));
  } catch (const Error& error) {
    if (runtime.rank() == Rank{0})
      print_to_stderr("warning: a run would be refused: {}\n", error.what());
  }
}

// Everything that can be wrong with a request is found here, on all ranks alike, before anything is
// written.
// @param report_on  becomes the folder that a report is wanted on, on the rank that is to write it
int run_deck(std::span<const Application> applications, const RunRequest& request, Runtime& runtime,
             std::string& report_on) {
  check_options(request);
  const auto job = load_job(applications, request, runtime);
  const io::Deck& deck = job.deck;
  const auto& application = application_of(applications, deck);
  const auto machine = machine_of(request, runtime);
  const auto& folder = deck.string("output.folder");
  check_job(applications, job, request.dry_run ? "" : folder, runtime);
  if (request.dry_run) {
    const int code = describe(application, deck, job.from, machine, runtime);
    if (code == exit_success) warn_of_folder(job, folder, runtime);
    return code;
  }
  auto lock = take_folder(job, folder, runtime);
  SignalRequests requests;
  auto context = runtime.context(execution_of(deck));
  context.requests = &requests;
  const auto abandon = [&](const Failure& why) {
    lock.reset();  // abort leaves no time for it
    warn_of_lost_lines();
    runtime.transport().abort("error: " + why.message);
  };
  const auto begun = begin_run(application, deck, context, folder, job.from);
  if (!begun) abandon(begun.error());
  remove_old_results(runtime.transport(), runtime.files(), folder, job.existing,
                     deck.string(identity_key));
  if (const auto started = (*begun)->start(describe_run(context)); !started)
    abandon(started.error());
  const auto end = (*begun)->advance();
  if (!end) abandon(end.error());
  if (*end == RunEnd::stopped) return exit_stopped;
  if (deck.boolean("output.report") && runtime.rank() == Rank{0}) report_on = folder;
  return exit_success;
}

// Each line is an error of its own.
int complain_once(const Runtime& runtime, std::string_view errors) {
  if (runtime.rank() == Rank{0}) print_errors(errors);
  return exit_bad_request;
}

}  // namespace

std::vector<std::string> joined_settings(const std::vector<std::string>& words) {
  std::vector<std::string> joined;
  for (const std::string& word : words) {
    const bool has_sign = word.find('=') != std::string::npos;
    const bool goes_on =
        !joined.empty() && (word.starts_with('=') || (joined.back().ends_with('=') && !has_sign));
    if (goes_on)
      joined.back() += word;
    else
      joined.push_back(word);
  }
  return joined;
}

int command_wrong_run(const std::string& error, std::string_view words) {
  Runtime runtime(nullptr, nullptr);
  try {
    check_same_words(runtime.transport(), words);
  } catch (const Error& other) {
    return complain_once(runtime, other.what());
  }
  return complain_once(runtime, error);
}

int command_run(std::span<const Application> applications, const RunRequest& request) {
  std::string report_on;
  int code = exit_success;
  {
    Runtime runtime(nullptr, nullptr);
    warn_of_lone_rank(runtime.transport().n_ranks());
    try {
      check_same_words(runtime.transport(), request.words);
      code = run_deck(applications, with_words_in_place(request), runtime, report_on);
    } catch (const Error& error) {
      return complain_once(runtime, error.what());
    } catch (const std::exception& error) {
      warn_of_lost_lines();
      runtime.transport().abort("error: " + words_of(error));
    }
  }
  if (code == exit_success || code == exit_stopped) warn_of_lost_lines();
  // When MPI is over: the other ranks need not wait for it.
  if (!report_on.empty()) write_report(report_on);
  return code;
}

}  // namespace thalweg::app
