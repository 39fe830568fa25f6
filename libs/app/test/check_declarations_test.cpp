// SPDX-License-Identifier: MIT
// What is wrong with a program as its developer declares it is found whatever it is asked for.
#include "../src/check_declarations.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>
#include <thalweg/io/parameter.hpp>

#include "../../../tests/support/text.hpp"
#include "stream.hpp"

namespace thalweg::app {
namespace {

Program good_program() {
  return {.name = "waves",
          .doc = "",
          .version = "1",
          .applications = testing::applications(),
          .commands = {{"count", "", [](const auto&) { return 0; }}}};
}

/// What is wrong with the program after a change; "": nothing.
std::string complaint(const std::function<void(Program&)>& change) {
  Program changed = good_program();
  change(changed);
  try {
    check_declarations(changed);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string complaint_of_key(const io::Parameter& own) {
  return complaint([&](Program& p) { p.applications[0].parameters.push_back(own); });
}

using thalweg::testing::expect_parts;

TEST(CheckDeclarations, find_nothing_where_all_is_right) {
  EXPECT_EQ(complaint([](Program&) {}), "");
  EXPECT_EQ(complaint_of_key(io::real("stream.depth", 1, "", "")), "");
  EXPECT_EQ(
      complaint_of_key(io::tables("stream.beams", {{{"n", 1.}}}, {io::real("n", 1, "", "")}, "")),
      "");
  // A shared key that is left out may be declared anew.
  EXPECT_EQ(complaint([](Program& p) {
              p.applications[0].without = {"time.cfl"};
              p.applications[0].parameters.push_back(io::real("time.cfl", 3, "", ""));
            }),
            "");
}

TEST(CheckDeclarations, refuse_defaults_that_no_deck_could_give) {
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [own, part] : std::vector<std::pair<io::Parameter, std::string>>{
           {io::real("stream.x", 5, "", "", io::Range::between(0, 1)), "= 5 (must be in [0, 1])"},
           {io::integer("stream.x", -1, "", "", io::Range::at_least(0)), "= -1 (must be in [0"},
           {io::real("stream.x", nan, "", ""), "= nan (must be a finite number)"},
           {io::choice("stream.x", "c", {"a", "b"}, ""), "= \"c\" (must be one of: a, b)"},
           {io::vector("stream.x", {}, "", ""), "has 0 elements (must have 1 to 3)"},
           {io::tables("stream.x", {}, {io::real("n", 5, "", "", io::Range::between(0, 1))}, ""),
            "a column 'n' whose default = 5"}}) {
    const auto said = complaint_of_key(own);
    expect_parts(said, {"application 'stream' declares stream.x", part.c_str()});
  }
}

TEST(CheckDeclarations, refuse_keys_that_are_none_or_are_there_already) {
  for (const char* name : {"", "depth", "stream.my depth", "stream.", ".depth", "stream..depth"})
    expect_parts(complaint_of_key(io::real(name, 1, "", "")),
                 {"application 'stream' declares a key", "section.key"});
  expect_parts(complaint_of_key(io::real("stream.wind", 1, "", "")), {"stream.wind twice"});
  expect_parts(complaint_of_key(io::real("time.cfl", 1, "", "")),
               {"declares time.cfl", "all applications have a key of that name"});
  expect_parts(
      complaint_of_key(io::real("problem.width", 1, "", "")),
      {"problem 'spot' of application 'stream' declares problem.width", "for all problems"});
  const auto of_problem = [](const char* name) {
    return complaint([&](Program& p) {
      p.applications[0].problems[0].parameters.push_back(io::real(name, 1, "", ""));
    });
  };
  EXPECT_EQ(of_problem("problem.depth"), "");
  expect_parts(of_problem("spot.depth"),
               {"problem 'spot' of application 'stream' declares spot.depth",
                "begin with \"problem.", "Application::parameters"});
  auto used = io::real("stream.depth", 1, "", "");
  used.used_with = {"mesh.mode", {"tree"}};
  expect_parts(complaint_of_key(used), {"stream.depth as used with mesh.mode = tree"});
  used.used_with = {"mesh.node", {"leaf"}};
  expect_parts(complaint_of_key(used), {"mesh.node", "no such key"});
  expect_parts(complaint([](Program& p) { p.applications[0].without = {"mesh"}; }),
               {"without 'mesh'"});
}

TEST(CheckDeclarations, refuse_defaults_of_other_keys_that_cannot_be) {
  const auto said = [](const char* key, const io::DeckValue& value) {
    return complaint([&](Program& p) { p.applications[0].problems[0].defaults = {{key, value}}; });
  };
  expect_parts(
      said("mesh.dims", std::int64_t{2}),
      {"problem 'spot' of application 'stream', in its defaults: mesh.dims", "no such key"});
  expect_parts(said("mesh.dim", std::int64_t{7}), {"mesh.dim = 7 (must be in [1, 3])"});
  expect_parts(said("mesh.dim", 2.0), {"mesh.dim = 2.0 (must be of the type of 3"});
  EXPECT_EQ(said("mesh.dim", std::int64_t{2}), "");
  // All that is wrong is said at once.
  const auto both = complaint([](Program& p) {
    p.applications[0].problems[0].defaults = {
        {"mesh.dims", std::int64_t{2}}, {"mesh.dim", std::int64_t{2}}, {"stream.wind", 1.0}};
  });
  expect_parts(both, {"in its defaults: mesh.dims (there is no such key); correct ProblemChoice",
                      "in its defaults: stream.wind = 1.0 (must be of the type of"});
  EXPECT_EQ(
      complaint([](Program& p) { p.applications[0].defaults = {{"mesh.dims", std::int64_t{2}}}; }),
      "application 'stream', in its defaults: mesh.dims (there is no such key); correct "
      "Application::defaults");
  // One of its own keys is one, too.
  EXPECT_EQ(complaint([](Program& p) {
              p.applications[0].defaults = {{"stream.wind", std::vector<double>{1, 0}}};
            }),
            "");
}

TEST(CheckDeclarations, refuse_two_of_a_name_and_names_that_are_none) {
  expect_parts(complaint([](Program& p) { p.applications[1].name = "stream"; }),
               {"two applications of the name 'stream'"});
  expect_parts(complaint([](Program& p) { p.applications[0].problems[1].name = "spot"; }),
               {"application 'stream' has two problems of the name 'spot'"});
  for (const char* name : {"", "two words", "-v"})
    expect_parts(complaint([&](Program& p) { p.commands[0].name = name; }),
                 {"program 'waves' declares a command", "a word"});
  for (const char* name : {"run", "vtkhdf"})
    expect_parts(complaint([&](Program& p) { p.commands[0].name = name; }),
                 {name, "every program has one"});
  expect_parts(complaint([](Program& p) { p.commands.push_back(p.commands[0]); }),
               {"two commands of the name 'count'"});
}

TEST(CheckDeclarations, refuse_what_is_missing) {
  expect_parts(complaint([](Program& p) { p.applications.clear(); }), {"has no application"});
  expect_parts(complaint([](Program& p) { p.applications[0].set_up = {}; }),
               {"application 'stream' declares no set_up"});
  expect_parts(complaint([](Program& p) { p.commands[0].run = {}; }),
               {"'count' without a function"});
}

TEST(CheckDeclarations, find_all_at_once_and_make_a_bad_request) {
  Program wrong = good_program();
  wrong.applications[0].set_up = {};
  wrong.commands[0].run = {};
  for (const char* word : {"--help", "params", "count", "run"}) {
    std::string name = "waves", first = word;
    char* arguments[] = {name.data(), first.data(), nullptr};
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(run_command_line(2, arguments, wrong), exit_bad_request);
    expect_parts(::testing::internal::GetCapturedStderr(),
                 {"error: application 'stream' declares no set_up", "error: program 'waves'"});
  }
}

}  // namespace
}  // namespace thalweg::app
