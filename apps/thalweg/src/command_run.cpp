// SPDX-License-Identifier: MIT
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/output_folder.hpp>
#include <thalweg/app/runtime.hpp>
#include <thalweg/app/tracing.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/model.hpp>
#include <thalweg/hydro/run.hpp>
#include <thalweg/io/deck.hpp>

#include "commands.hpp"

namespace thalweg {

namespace {

std::vector<std::string> all_overrides(const RunRequest& request) {
  auto overrides = request.overrides;
  if (request.model) overrides.push_back("run.model=" + *request.model);
  if (request.threads) overrides.push_back(fmt::format("run.threads={}", *request.threads));
  if (request.folder) overrides.push_back("output.folder=" + *request.folder);
  return overrides;
}

app::Execution execution_of(const io::Deck& deck) {
  const auto model = *flow::model_from_string(deck.string("run.model"));
  const auto n_workers = static_cast<std::uint32_t>(deck.integer("run.threads"));
  return {.model = model,
          .n_workers = model == flow::Model::bulk ? 1 : n_workers,
          .depth = static_cast<std::uint32_t>(deck.integer("run.depth")),
          .grain = static_cast<std::uint32_t>(deck.integer("run.grain")),
          .latency_us = deck.real("run.latency_us"),
          .progress = *flow::progress_from_string(deck.string("run.progress")),
          .posting = *flow::posting_from_string(deck.string("run.posting")),
          .watchdog_s = deck.real("run.watchdog")};
}

// Does all checks, and throws everything they complain about.
void check_all(std::initializer_list<std::function<void()>> checks) {
  std::vector<std::string> errors;
  for (const auto& check : checks) {
    try {
      check();
    } catch (const Error& error) {
      errors.emplace_back(error.what());
    }
  }
  if (!errors.empty()) throw Error(fmt::format("{}", fmt::join(errors, "\n")));
}

// Everything that can be wrong with a request is found here, on all ranks alike, before anything is
// written.
int run_deck(const RunRequest& request, app::Runtime& runtime) {
  const auto parameters = hydro::parameters();
  const auto text = app::read_text_everywhere(runtime.transport(), runtime.files(), request.deck);
  const auto deck = io::Deck::load(text, request.deck, parameters, all_overrides(request));
  const auto& folder = deck.string("output.folder");
  const auto existing = request.force ? app::Existing::replace : app::Existing::refuse;
  check_all(
      {[&] { hydro::check(deck); },
       [&] { app::check_tracing(deck, runtime.transport().n_ranks()); },
       [&] { app::check_output_folder(runtime.transport(), runtime.files(), folder, existing); }});
  app::prepare_output_folder(runtime.transport(), runtime.files(), folder, existing);
  const auto done = hydro::run(deck, runtime.context(execution_of(deck)), folder);
  if (!done) runtime.transport().abort("error: " + done.error().message);
  return exit_success;
}

// Each line is an error of its own.
int complain_once(const app::Runtime& runtime, std::string_view errors) {
  if (runtime.rank() != Rank{0}) return exit_bad_request;
  std::istringstream lines{std::string(errors)};
  for (std::string line; std::getline(lines, line);) fmt::print(stderr, "error: {}\n", line);
  return exit_bad_request;
}

}  // namespace

int command_wrong_run(const std::string& error) {
  const app::Runtime runtime(nullptr, nullptr);
  return complain_once(runtime, error);
}

int command_run(const RunRequest& request) {
  app::Runtime runtime(nullptr, nullptr);
  try {
    return run_deck(request, runtime);
  } catch (const Error& error) {
    return complain_once(runtime, error.what());
  } catch (const std::exception& error) {
    runtime.transport().abort(std::string("error: ") + error.what());
  }
  return exit_failure;  // not reached: abort does not return
}

}  // namespace thalweg
