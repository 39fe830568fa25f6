// SPDX-License-Identifier: MIT
#include "check_declarations.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/application.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/io/deck.hpp>

namespace thalweg::app {

namespace {

/// Words that TOML writes without quotes, with a point between each two of them.
bool is_key(std::string_view name) {
  bool is_word = false, has_point = false;
  for (const char c : name) {
    const bool is_point = c == '.';
    if (is_point ? !is_word
                 : std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-')
      return false;
    is_word = !is_point;
    has_point = has_point || is_point;
  }
  return is_word && has_point;
}

class Checks {
 public:
  explicit Checks(const Program& program) : program_(program) {}

  std::vector<std::string> errors() {
    if (program_.applications.empty())
      add("program '{}' has no application (there is nothing to run a deck for); put one into "
          "Program::applications",
          program_.name);
    check_names(program_.applications, fmt::format("program '{}'", program_.name), "applications");
    for (const Application& application : program_.applications) check(application);
    for (const Command& command : program_.commands) check(command);
    check_names(program_.commands, fmt::format("program '{}'", program_.name), "commands");
    return std::exchange(errors_, {});
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    errors_.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
  }

  void check(const Command& command) {
    const std::string& name = command.name;
    const bool is_word =
        !name.empty() && !name.starts_with('-') && std::ranges::none_of(name, [](char c) {
          return std::isspace(static_cast<unsigned char>(c)) != 0;
        });
    if (!is_word)
      add("program '{}' declares a command '{}' (it is to be a word behind the program's name); "
          "give it another name",
          program_.name, name);
    if (std::ranges::find(common_commands, name) != common_commands.end())
      add("program '{}' declares a command '{}' (every program has one of that name); give it "
          "another name",
          program_.name, name);
    if (!command.run)
      add("program '{}' declares a command '{}' without a function (there is nothing to do); set "
          "Command::run",
          program_.name, name);
  }

  /// What there are several of goes by different names.
  template <class Named>
  void check_names(const std::vector<Named>& all, const std::string& whose, const char* what) {
    for (auto one = all.begin(); one != all.end(); ++one) {
      if (one->name.empty())
        add("{} has {} without a name (none could be asked for); name each", whose, what);
      if (std::ranges::find(all.begin(), one, one->name, &Named::name) != one)
        add("{} has two {} of the name '{}' (only the first could be asked for); rename one", whose,
            what, one->name);
    }
  }

  void check(const Application& application) {
    const auto whose = fmt::format("application '{}'", application.name);
    if (!application.set_up)
      add("{} declares no set_up (decks could not be run); set Application::set_up, as set_up_in "
          "makes it",
          whose);
    check_names(application.problems, whose, "problems");
    check(application.parameters, whose);
    for (const ProblemChoice& problem : application.problems) {
      const auto of_problem = fmt::format("problem '{}' of {}", problem.name, whose);
      check(problem.parameters, of_problem);
      for (const io::Parameter& own : problem.parameters) {
        if (is_key(own.name) && !own.name.starts_with("problem."))
          add("{} declares {} (keys of a problem's own begin with \"problem.\", so that decks show "
              "whose they are); rename it, or declare it for all problems in "
              "Application::parameters",
              of_problem, own.name);
        if (std::ranges::find(application.parameters, own.name, &io::Parameter::name) !=
            application.parameters.end())
          add("{} declares {} (the application declares it, too, for all problems); leave one out",
              of_problem, own.name);
      }
    }
    check_against_shared(application, whose);
    check_together(application);
  }

  /// Parameters of an application or of a problem, each by itself.
  void check(const std::vector<io::Parameter>& own, const std::string& whose) {
    for (auto one = own.begin(); one != own.end(); ++one) {
      if (std::ranges::find(own.begin(), one, one->name, &io::Parameter::name) != one)
        add("{} declares {} twice (the first would count); leave one out", whose, one->name);
      if (!is_key(one->name)) {
        add("{} declares a key '{}' (decks have \"section.key\", of letters, digits, _ and -); "
            "rename it",
            whose, one->name);
        continue;
      }
      bool are_columns_right = true;
      for (const io::Parameter& column : one->columns) {
        const bool is_number = std::holds_alternative<double>(column.default_value);
        const auto why = is_number ? objection_to_default(column, column.default_value)
                                   : "is no real number (columns are)";
        are_columns_right = are_columns_right && why.empty();
        if (!why.empty())
          add("{} declares {} with a column '{}' whose default {}; give another", whose, one->name,
              column.name, why);
      }
      if (!are_columns_right) continue;
      if (const auto why = objection_to_default(*one, one->default_value); !why.empty())
        add("{} declares {} whose default {}; give another", whose, one->name, why);
    }
  }

  /// What an application has of its own is neither named as what all have, nor leaves out more.
  void check_against_shared(const Application& application, const std::string& whose) {
    Application bare = application;
    bare.parameters.clear();
    bare.defaults.clear();
    for (ProblemChoice& problem : bare.problems) problem = {.name = problem.name, .doc = ""};
    const auto shared = parameters_of(program_.applications, bare, "");
    const auto refuse = [&](const std::vector<io::Parameter>& own, const std::string& owner) {
      for (const io::Parameter& one : own)
        if (std::ranges::find(shared, one.name, &io::Parameter::name) != shared.end())
          add("{} declares {} (all applications have a key of that name, with a meaning of its "
              "own); rename it, or leave the shared one out by Application::without",
              owner, one.name);
    };
    refuse(application.parameters, whose);
    for (const ProblemChoice& problem : application.problems)
      refuse(problem.parameters, fmt::format("problem '{}' of {}", problem.name, whose));
    const auto all = shared_parameters();
    for (const std::string& name : application.without)
      if (std::ranges::none_of(all, [&](const io::Parameter& one) {
            return name.ends_with('.') ? one.name.starts_with(name) : one.name == name;
          }))
        add("{} declares itself without '{}' (no shared key is called so, nor begins with it); "
            "leave that out of Application::without",
            whose, name);
  }

  /// Keys that say something of others.
  void check_together(const Application& application) {
    std::vector<std::string_view> problems{""};
    for (const ProblemChoice& problem : application.problems) problems.push_back(problem.name);
    for (const std::string_view problem : problems) {
      try {
        const auto all = parameters_of(program_.applications, application, problem);
        for (const io::Parameter& one : all) check_use(one, all, application.name);
      } catch (const Error& error) {
        add("{}", error.what());
        if (problem.empty()) return;  // all its problems have these
      }
    }
  }

  void check_use(const io::Parameter& one, const std::vector<io::Parameter>& all,
                 const std::string& application) {
    const auto& [key, values] = one.used_with;
    if (key.empty()) return;
    const auto other = std::ranges::find(all, key, &io::Parameter::name);
    const bool is_known =
        other != all.end() && std::ranges::all_of(values, [&](const std::string& value) {
          return std::ranges::find(other->choices, value) != other->choices.end();
        });
    const auto text = fmt::format(
        "application '{}' declares {} as used with {} = {} (there is no such key, or choice of "
        "it); correct its used_with",
        application, one.name, key, joined_text(values, " or "));
    if (!is_known && std::ranges::find(errors_, text) == errors_.end()) errors_.push_back(text);
  }

  const Program& program_;
  std::vector<std::string> errors_;
};

}  // namespace

std::string objection_to_default(io::Parameter parameter, const io::DeckValue& value) {
  const auto text = io::toml_text(value);
  if (value.index() != parameter.default_value.index())
    return fmt::format("= {} (must be of the type of {}, as it is declared)", text,
                       io::toml_text(parameter.default_value));
  // What no deck could say is no default: one is loaded that says it.
  static constexpr std::string_view key = "the.key";
  parameter.name = key;
  parameter.used_with = {};
  try {
    io::Deck::load(fmt::format("{} = {}", key, text), "", {&parameter, 1});
  } catch (const Error& error) {
    const std::string_view what = error.what();
    const std::size_t at = what.find(key);
    return std::string(at == what.npos ? what : what.substr(at + key.size() + 1));
  }
  return "";
}

void check_declarations(const Program& program) {
  const auto errors = Checks(program).errors();
  if (!errors.empty()) throw Error(joined_text(errors, "\n"));
}

}  // namespace thalweg::app
