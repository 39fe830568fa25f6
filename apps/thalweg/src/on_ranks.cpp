// SPDX-License-Identifier: MIT
#include "on_ranks.hpp"

#include <exception>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/command_line.hpp>
#include <thalweg/app/lone_rank.hpp>
#include <thalweg/app/option_words.hpp>
#include <thalweg/core/exception_words.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/print_errors.hpp>

namespace thalweg {

int on_ranks(const std::string& name, const std::vector<std::string>& words,
             const std::function<std::string()>& help,
             const std::function<Result<int>(app::Runtime&)>& command) {
  app::Runtime runtime(nullptr, nullptr);
  if (app::asks_for_help(words)) {
    if (runtime.rank() == Rank{0}) fmt::print("{}", help());
    return app::exit_success;
  }
  try {
    app::check_same_words(runtime.transport(), fmt::format("{} {}", name, joined_text(words, " ")));
    const auto code = command(runtime);
    if (!code) runtime.transport().abort("error: " + code.error().message);
    return *code;
  } catch (const Error& error) {
    if (runtime.rank() == Rank{0}) print_errors(error.what());
    return app::exit_bad_request;
  } catch (const std::exception& error) {
    runtime.transport().abort("error: " + words_of(error));
  }
  return app::exit_failure;  // not reached: abort does not return
}

int on_ranks(const std::string& name, const std::vector<std::string>& words,
             const std::function<std::string()>& help, decltype(Proxy::run) run) {
  return on_ranks(name, words, help, [&](app::Runtime& runtime) -> Result<int> {
    app::warn_of_lone_rank(runtime.transport().n_ranks());
    const auto done = run(words, runtime, runtime.context({}).log);
    if (!done) return std::unexpected(done.error());
    return app::exit_success;
  });
}

}  // namespace thalweg
