// SPDX-License-Identifier: MIT
#include <exception>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/command_line.hpp>
#include <thalweg/app/output_folder.hpp>
#include <thalweg/app/runtime.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/miniamr/options.hpp>
#include <thalweg/miniamr/run.hpp>

#include "command_miniamr.hpp"

namespace thalweg {

int command_miniamr(const std::vector<std::string>& words) {
  app::Runtime runtime(nullptr, nullptr);
  if (miniamr::asks_for_help(words)) {
    if (runtime.rank() == Rank{0}) fmt::print("{}", miniamr::option_help());
    return app::exit_success;
  }
  try {
    app::check_same_words(runtime.transport(), fmt::format("miniamr {}", fmt::join(words, " ")));
    mesh::check_n_ranks(runtime.transport().n_ranks());
    const auto options = miniamr::parse_options(words, runtime.transport().n_ranks());
    const auto lock =
        options.plotfile_freq == 0
            ? std::nullopt
            : app::take_output_folder(
                  runtime.transport(), runtime.files(), options.out.empty() ? "." : options.out,
                  options.force ? app::Existing::replace : app::Existing::beside);
    const auto done = miniamr::run(options, runtime.context(miniamr::execution_of(options)));
    if (!done) runtime.transport().abort("error: " + done.error().message);
    return app::exit_success;
  } catch (const Error& error) {
    std::istringstream lines{std::string(error.what())};
    for (std::string line; runtime.rank() == Rank{0} && std::getline(lines, line);)
      fmt::print(stderr, "error: {}\n", line);
    return app::exit_bad_request;
  } catch (const std::exception& error) {
    runtime.transport().abort(std::string("error: ") + error.what());
  }
  return app::exit_failure;  // not reached: abort does not return
}

}  // namespace thalweg
