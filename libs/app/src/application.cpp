// SPDX-License-Identifier: MIT
#include <thalweg/app/application.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <thalweg/app/tracing.hpp>
#include <thalweg/core/complaints.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/exception_words.hpp>

#include "check_declarations.hpp"

namespace thalweg::app {

namespace {

constexpr const char* application_key = "application.name";
constexpr const char* problem_key = "problem.name";

template <class Named>
std::vector<std::string> names_of(std::span<const Named> all) {
  std::vector<std::string> names;
  for (const auto& one : all) names.push_back(one.name);
  return names;
}

template <class Named>
const Named* find_named(std::span<const Named> all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &Named::name);
  return found == all.end() ? nullptr : &*found;
}

void append(std::vector<io::Parameter>& to, const std::vector<io::Parameter>& more) {
  for (const auto& parameter : more)
    if (std::ranges::find(to, parameter.name, &io::Parameter::name) == to.end())
      to.push_back(parameter);
}

/// @errors throws Error for all defaults that are of no key, or not such as a deck could give
void take_defaults(std::vector<io::Parameter>& to,
                   std::span<const std::pair<std::string, io::DeckValue>> defaults,
                   const std::string& whose, std::string_view where) {
  Complaints complaints;
  for (const auto& [key, value] : defaults) {
    const auto parameter = std::ranges::find(to, key, &io::Parameter::name);
    const auto why =
        parameter == to.end() ? "(there is no such key)" : objection_to_default(*parameter, value);
    if (why.empty())
      parameter->default_value = value;
    else
      complaints.add(fmt::format("{}, in its defaults: {} {}; correct {}", whose, key, why, where));
  }
  complaints.throw_if_any();
}

/// The shared parameters that mean something to an application.
std::vector<io::Parameter> shared_parameters_of(const Application& application) {
  auto all = shared_parameters();
  std::erase_if(all, [&](const io::Parameter& parameter) {
    return std::ranges::any_of(application.without, [&](const std::string& name) {
      return name.ends_with('.') ? parameter.name.starts_with(name) : parameter.name == name;
    });
  });
  return all;
}

/// What other problems of the application and other applications call their own.
std::vector<io::ForeignKey> foreign_keys(std::span<const Application> applications,
                                         const Application& chosen) {
  std::vector<io::ForeignKey> keys;
  for (const auto& problem : chosen.problems)
    for (const auto& p : problem.parameters)
      keys.push_back({p.name, fmt::format("{} = \"{}\"", problem_key, problem.name)});
  for (const auto& other : applications) {
    if (other.name == chosen.name) continue;
    auto parameters = parameters_of(applications, other, "");
    for (const auto& problem : other.problems) append(parameters, problem.parameters);
    for (const auto& p : parameters)
      keys.push_back({p.name, fmt::format("{} = \"{}\"", application_key, other.name)});
  }
  return keys;
}

}  // namespace

std::vector<io::Parameter> parameters_of(std::span<const Application> applications,
                                         const Application& application, std::string_view problem) {
  std::vector<io::Parameter> all{{.name = application_key,
                                  .default_value = applications.front().name,
                                  .choices = names_of(applications),
                                  .doc = "Which equations are solved.",
                                  .decides_keys = true}};
  const std::span<const ProblemChoice> problems(application.problems);
  if (!problems.empty())
    all.push_back({.name = problem_key,
                   .default_value = problems.front().name,
                   .choices = names_of(problems),
                   .doc = "Initial and boundary data.",
                   .must_be_given = problems.size() > 1});
  for (const auto& choice : problems)
    if (choice.name == problem) append(all, choice.parameters);
  append(all, application.parameters);
  append(all, shared_parameters_of(application));
  if (!application.derived.empty())
    all.push_back({.name = "output.derived",
                   .default_value = std::vector<std::string>{},
                   .choices = application.derived,
                   .doc = "Fields that plotfiles have beside those of the state.",
                   .at_restart = io::AtRestart::may_change});
  append(all, trace_parameters());
  const auto whose = fmt::format("application '{}'", application.name);
  take_defaults(all, application.defaults, whose, "Application::defaults");
  if (const auto* const chosen = find_named(problems, problem))
    take_defaults(all, chosen->defaults, fmt::format("problem '{}' of {}", chosen->name, whose),
                  "ProblemChoice::defaults");
  return all;
}

io::Deck load_deck(std::span<const Application> applications, std::string_view text,
                   std::string_view file_name, std::span<const std::string> overrides) {
  // Which keys there are follows from two of them. Where there is no such application, the error
  // says nothing else; where there is no such problem, the keys of any pass.
  const auto& first = applications.front();
  const auto name = io::find_string(text, overrides, application_key).value_or(first.name);
  const auto* const found = find_named(applications, name);
  const auto& application = found == nullptr ? first : *found;
  const std::span<const ProblemChoice> problems(application.problems);
  const auto problem = io::find_string(text, overrides, problem_key)
                           .value_or(problems.size() == 1 ? problems.front().name : "");
  auto parameters = parameters_of(applications, application, problem);
  if (find_named(problems, problem) == nullptr)
    for (const auto& choice : problems) append(parameters, choice.parameters);
  // Where there are only leaves, no level waits for a finer one.
  if (io::find_string(text, overrides, "mesh.mode") == "leaf")
    for (io::Parameter& parameter : parameters)
      if (parameter.name == "time.subcycle") parameter.default_value = false;
  return io::Deck::load(text, file_name, parameters, overrides,
                        foreign_keys(applications, application));
}

std::unique_ptr<AnySetup> set_up(const Application& application, const io::Deck& deck) {
  const auto has_thrown = [&](std::string_view words) {
    return Error(fmt::format("application '{}' cannot be set up: {}", application.name, words));
  };
  std::unique_ptr<AnySetup> made;
  try {
    made = application.set_up(deck);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& thrown) {
    throw has_thrown(words_of(thrown));
  } catch (...) {
    throw has_thrown("something that is no std::exception was thrown");
  }
  if (!made)
    throw Error(
        fmt::format("the set_up of application '{}' has returned nothing (there is nothing to "
                    "run); return what set_up_in or any_setup makes",
                    application.name));
  return made;
}

const Application& application_of(std::span<const Application> applications, const io::Deck& deck) {
  return *find_named(applications, deck.string(application_key));
}

}  // namespace thalweg::app
