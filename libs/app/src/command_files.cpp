// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/application.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/print_errors.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/io/plotfile_read.hpp>

#include "commands.hpp"

namespace thalweg::app {

namespace {
// Say in what plotfiles differ beside their cells, which alone are compared.
void print_other_differences(const io::FileSystem& files, const std::string& first,
                             const std::string& second) {
  const auto a = io::read_plotfile(files, first), b = io::read_plotfile(files, second);
  if (!a || !b) return;
  const auto print = [](std::string_view what, const auto& of_a, const auto& of_b) {
    if (of_a != of_b) fmt::print("note: their {} differ: {} and {}\n", what, of_a, of_b);
  };
  const auto domain = [](const io::Plotfile& plot) {
    const auto corner = [&](const Vec<3>& x) {
      return joined_text(std::span(x.at).first(static_cast<std::size_t>(plot.dimension)));
    };
    return fmt::format("[{}] to [{}]", corner(plot.lower), corner(plot.upper));
  };
  print("times", a->time, b->time);
  print("domains", domain(*a), domain(*b));
  print("ratios", joined_text(a->ratios), joined_text(b->ratios));
}
}  // namespace

std::string objection_to(const io::FileSystem& files, const std::string& target, bool force,
                         Target kind, std::string_view option) {
  const auto there = files.status(target);
  if (!there || target == "-")
    return fmt::format(
        "{}; choose another name with {}, or leave it out",
        there ? "'-' is no name of a file, nor the standard output here" : there.error().message,
        option);
  if (!there->has_value()) {
    const std::size_t slash = target.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : target.substr(0, slash + 1);
    const auto parent = files.status(folder);
    if (!parent) return parent.error().message;
    if (*parent && (*parent)->kind == io::FileStatus::Kind::directory) return {};
    return fmt::format(
        "'{}' cannot be written (there is no folder '{}'); make it, or choose "
        "another name with {}",
        target, folder, option);
  }
  if (kind == Target::file && (*there)->kind == io::FileStatus::Kind::directory)
    return fmt::format("'{}' is a folder (a file would be written); choose another name with {}",
                       target, option);
  if (force) return {};
  return fmt::format(
      "'{}' exists (it would be replaced); choose another name with {}, or replace "
      "it with --force",
      target, option);
}

int command_hash(const std::string& path) {
  const io::PosixFileSystem files;
  fmt::print("{:016x}\n", value_of(io::hash_plotfile(files, io::last_plotfile(files, path))));
  return exit_success;
}

int command_diff(const std::string& first, const std::string& second) {
  const io::PosixFileSystem files;
  const auto a = io::last_plotfile(files, first), b = io::last_plotfile(files, second);
  const auto difference = value_of(io::diff_plotfiles(files, a, b));
  if (difference)
    fmt::print("{}\n", *difference);
  else
    fmt::print("{} and {} have the same blocks, cell by cell\n", a, b);
  print_other_differences(files, a, b);
  return difference ? exit_difference : exit_success;
}

int command_norms(const std::string& first, const std::string& second, double tolerance) {
  const io::PosixFileSystem files;
  const auto a = io::last_plotfile(files, first), b = io::last_plotfile(files, second);
  const auto norms = value_of(io::norms_of_difference(files, a, b));
  if (norms.other_mesh) {
    fmt::print("{}\n", *norms.other_mesh);
    print_other_differences(files, a, b);
    return exit_difference;
  }
  fmt::print("{:>5}  {:<16}  {:>12}  {:>14}  {:>12}\n", "level", "variable", "max |a - b|",
             "over max |a|", "mean |a - b|");
  bool is_within = true;
  for (const auto& row : norms.rows) {
    is_within = is_within && row.relative() <= tolerance;
    // Of infinite ones the quotient is no number, with a sign that the processor chose.
    fmt::print("{:>5}  {:<16}  {:>12.4e}  {:>14.4e}  {:>12.4e}\n", row.level, row.variable,
               row.largest, std::abs(row.relative()), row.mean);
  }
  print_other_differences(files, a, b);
  return is_within ? exit_success : exit_difference;
}

namespace {

int refuse(std::string_view message) {
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
    fmt::print("{}", text);
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
