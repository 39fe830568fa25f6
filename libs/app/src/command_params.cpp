// SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/application.hpp>
#include <thalweg/app/lone_rank.hpp>
#include <thalweg/core/print_errors.hpp>
#include <thalweg/io/parameter.hpp>

#include "commands.hpp"

namespace thalweg::app {

namespace {

int refuse(std::string_view message) {
  // Of several ranks the first has the exit code: one that ends with it earlier would end the
  // first.
  if (!prints_for_all_ranks()) return exit_success;
  print_to_stderr("error: {}\n", printable(message));  // may go on with a list
  return exit_bad_request;
}

/// What is declared as a key, by all who declare it alike; "" where nobody does.
std::string text_of_key(std::span<const Application> applications, const std::string& key) {
  std::vector<std::pair<std::string, std::string>> found;  // what is declared, and by whom
  const auto look = [&](std::span<const io::Parameter> parameters, const std::string& whose) {
    const auto one = std::ranges::find(parameters, key, &io::Parameter::name);
    if (one == parameters.end()) return;
    const auto text = io::describe({&*one, 1});
    const auto before = std::ranges::find(found, text, &std::pair<std::string, std::string>::first);
    if (before == found.end())
      found.emplace_back(text, whose);
    else
      before->second += ", " + whose;
  };
  for (const Application& application : applications) {
    look(parameters_of(applications, application, ""), application.name);
    for (const ProblemChoice& problem : application.problems)
      look(problem.parameters, application.name + " " + problem.name);
  }
  std::string all;
  for (const auto& [text, whose] : found) all += fmt::format("# {}\n{}", whose, text);
  return all;
}

}  // namespace

int command_params(std::span<const Application> applications, const ParamsRequest& request) {
  if (request.application.contains('.') && request.problem.empty()) {
    const auto text = text_of_key(applications, request.application);
    if (text.empty())
      return refuse(
          fmt::format("no key '{}' in any application; `params` lists applications, "
                      "and `params NAME` the keys of one",
                      request.application));
    if (prints_for_all_ranks()) fmt::print("{}", text);
    return exit_success;
  }
  const auto named = [](const auto& all, const std::string& name) {
    return std::ranges::find(all, name, [](const auto& one) { return one.name; });
  };
  const auto list = [](const auto& all) {
    std::string text;
    for (const auto& one : all) text += fmt::format("#   {:<18} {}\n", one.name, one.doc);
    return text;
  };
  const auto application =
      request.application.empty() ? applications.begin() : named(applications, request.application);
  if (application == applications.end()) {
    const auto owner = std::ranges::find_if(applications, [&](const Application& one) {
      return named(one.problems, request.application) != one.problems.end();
    });
    if (owner != applications.end())
      return refuse(fmt::format("'{0}' is a problem of the application '{1}'; write params {1} {0}",
                                request.application, owner->name));
    return refuse(fmt::format("unknown application '{}'; choose one of:\n{}", request.application,
                              list(applications)));
  }
  const auto& problems = application->problems;
  if (!request.problem.empty() && problems.empty())
    return refuse(fmt::format("the application '{}' has no problems; leave '{}' out",
                              application->name, request.problem));
  if (!request.problem.empty() && named(problems, request.problem) == problems.end())
    return refuse(fmt::format("unknown problem '{}' of the application '{}'; choose one of:\n{}",
                              request.problem, application->name, list(problems)));
  if (!prints_for_all_ranks()) return exit_success;
  fmt::print("# section.key = default [unit], type and range; x1..3: a list, one entry per axis\n");
  if (!request.application.empty())
    fmt::print("# {}: {}\n", application->name, application->doc);
  else
    fmt::print("#\n# Applications, each with parameters of its own (params NAME):\n{}",
               list(applications));
  auto parameters = parameters_of(applications, *application, request.problem);
  // As asked for, although another one is the default.
  parameters.front().default_value = application->name;
  fmt::print("\n{}", io::describe(parameters));
  if (!request.problem.empty()) return exit_success;
  for (const auto& problem : problems) {
    fmt::print("\n# With problem.name = \"{}\": {}\n\n{}", problem.name, problem.doc,
               io::describe(problem.parameters));
    for (const auto& [key, value] : problem.defaults)
      fmt::print("{} = {}  in place of the default above\n", key, io::toml_text(value));
  }
  return exit_success;
}

}  // namespace thalweg::app
