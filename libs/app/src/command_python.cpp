// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/command_line.hpp>
#include <thalweg/app/lone_rank.hpp>
#include <thalweg/app/option_words.hpp>
#include <thalweg/app/python_package.hpp>
#include <thalweg/core/print_errors.hpp>

#include "commands.hpp"
#include "one_process.hpp"

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

// What a command does, and its options.
constexpr std::string_view help_of_report =
    "report OUT [B] [--output FILE] [--variable NAME] [--program FILE] [--force]\n"
    "Write one page about a run, or two beside each other.\n\n"
    "  --output FILE    Page to write (default: report.html in OUT, made anew)\n"
    "  --variable NAME  Variable of the slices over time (default: the first)\n"
    "  --program FILE   Program that accounts for the time in traces (default: this one)\n"
    "  --force          Replace the file\n";
constexpr std::string_view help_of_watch =
    "watch OUT [--once] [--interval S] [--variable NAME]\n"
    "Follow a run from another shell.\n\n"
    "  --once           Show how it stands, and end\n"
    "  --interval S     Seconds between looks (default: 1)\n"
    "  --variable NAME  Variable of the picture (default: density, or the first)\n";
constexpr std::string_view help_of_vtkhdf =
    "vtkhdf PLOTFILE [--output FILE] [--force]\n"
    "Write a plotfile, or the last one of a folder of results, as one VTKHDF file.\n\n"
    "  --output FILE    File to write (default: beside the plotfile, with .vtkhdf)\n"
    "  --force          Replace the file\n";

std::string_view help_of(std::string_view name) {
  if (name == "report") return help_of_report;
  return name == "watch" ? help_of_watch : help_of_vtkhdf;
}

}  // namespace

int command_of_python(const Program& program, const std::string& name,
                      std::vector<std::string> words) {
  if (asks_for_help(words)) {
    if (!prints_for_all_ranks()) return exit_success;
    fmt::print(
        "Usage: {} {}\nThe Python package thalweg does it, in the Python that THALWEG_PYTHON names "
        "or in python3.\n",
        program.name, help_of(name));
    return exit_code_of_printed(exit_success);
  }
  if (is_refused_on_several_ranks(name)) return exit_bad_request;
  const auto package = find_python_package();
  if (name == "report")
    words = words_of_report(std::move(words));
  else
    words.insert(words.begin(), name);
  const auto code =
      package ? run_python_package(*package, words) : Result<int>(std::unexpected(package.error()));
  if (!code) {
    print_to_stderr("error: {}\n", code.error().message);
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
    print_to_stderr("warning: no report: {}; then {}\n", code.error().message, how);
  else if (*code != 0)
    print_to_stderr("warning: no report (see above); {}\n", how);
}

}  // namespace thalweg::app
