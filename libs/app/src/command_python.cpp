// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/command_line.hpp>
#include <thalweg/app/python_package.hpp>

#include "commands.hpp"

namespace thalweg::app {

namespace {

// The words of a report, which asks this program what a trace says unless another one is named.
std::vector<std::string> words_of_report(std::vector<std::string> words) {
  std::error_code none;  // then the package looks for a program itself
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
  const bool is_named = std::ranges::any_of(words, [](const auto& word) {
    return word == "--program" || word.starts_with("--program=");
  });
  if (!is_named && !none) words.insert(words.end(), {"--program", program.string()});
  words.insert(words.begin(), "report");
  return words;
}

}  // namespace

int command_of_python(const std::string& name, std::vector<std::string> words) {
  const auto package = find_python_package();
  if (name == "report")
    words = words_of_report(std::move(words));
  else
    words.insert(words.begin(), name);
  const auto code =
      package ? run_python_package(*package, words) : Result<int>(std::unexpected(package.error()));
  if (!code) {
    fmt::print(stderr, "error: {}\n", code.error().message);
    return exit_bad_request;
  }
  return *code == 1 ? exit_bad_request
                    : *code;  // the package's code for a folder that is none, say
}

void write_report(const std::string& folder) {
  const auto package = find_python_package();
  const auto code =
      package ? run_python_package(*package, words_of_report({folder}), PythonOutput::errors)
              : Result<int>(std::unexpected(package.error()));
  const auto how = fmt::format("make it with `thalweg report {}`", folder);
  if (!code)
    fmt::print(stderr, "warning: no report: {}; then {}\n", code.error().message, how);
  else if (*code != 0)
    fmt::print(stderr, "warning: no report (see above); {}\n", how);
}

}  // namespace thalweg::app
