// SPDX-License-Identifier: MIT
#include <exception>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/command_line.hpp>
#include <thalweg/app/runtime.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/hpccg/options.hpp>
#include <thalweg/hpccg/run.hpp>

#include "command_hpccg.hpp"

namespace thalweg {

int command_hpccg(const std::vector<std::string>& words) {
  app::Runtime runtime(nullptr, nullptr);
  if (hpccg::asks_for_help(words)) {
    if (runtime.rank() == Rank{0}) fmt::print("{}", hpccg::option_help());
    return app::exit_success;
  }
  try {
    app::check_same_words(runtime.transport(), fmt::format("hpccg {}", fmt::join(words, " ")));
    const auto memory_bytes = runtime.context({}).memory_bytes;
    const auto options = hpccg::parse_options(words, runtime.transport().n_ranks(), memory_bytes);
    const auto made = app::check_on_all_ranks(
        runtime.transport(),
        runtime.rank() == Rank{0} ? runtime.files().make_directory(options.out) : Result<void>{});
    if (!made) throw Error(fmt::format("--out: {}; give another folder", made.error().message));
    const auto done = hpccg::run(options, runtime.context(hpccg::execution_of(options)));
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
