// SPDX-License-Identifier: MIT
#include <thalweg/app/application.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>

#include "../../../tests/support/text.hpp"
#include "stream.hpp"

namespace thalweg::app {
namespace {

using testing::applications;
using testing::complaint;
using testing::deck;

std::vector<std::string> names_of(const std::vector<io::Parameter>& parameters) {
  std::vector<std::string> names;
  for (const auto& p : parameters) names.push_back(p.name);
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

using thalweg::testing::error_of;
using thalweg::testing::expect_parts;

TEST(LoadDeck, is_for_the_first_application_if_the_deck_names_none) {
  const auto loaded = deck("[problem]\nname = \"spot\"\nwidth = 0.2\n");
  EXPECT_EQ(loaded.string("application.name"), "stream");
  EXPECT_EQ(loaded.string("problem.name"), "spot");
  EXPECT_EQ(loaded.real("problem.width"), 0.2);
  EXPECT_EQ(application_of(applications(), loaded).name, "stream");
}

TEST(LoadDeck, of_several_problems_wants_one_by_name) {
  expect_parts(complaint(""), {"stream.toml: problem.name is missing", "spot, plane"});
  EXPECT_EQ(deck("", {"application.name=other"}).string("problem.name"), "spot");
}

TEST(LoadDeck, refuses_shared_keys_that_mean_nothing_to_the_application) {
  std::vector<Application> all = applications();
  all[0].without = {"regrid.", "time.cfl"};
  const auto names = names_of(parameters_of(all, all[0], "spot"));
  EXPECT_FALSE(has(names, "regrid.interval"));
  EXPECT_FALSE(has(names, "regrid.buffer"));
  EXPECT_FALSE(has(names, "time.cfl"));
  EXPECT_TRUE(has(names, "time.end"));
  try {
    load_deck(all, "[problem]\nname = \"spot\"\n[time]\ncfl = 0.3\n", "stream.toml");
    FAIL() << "time.cfl was taken";
  } catch (const Error& error) {
    expect_parts(error.what(), {"stream.toml:4", "time.cfl", "application.name = \"other\""});
  }
}

TEST(LoadDeck, has_the_defaults_that_go_with_the_problem) {
  const auto sides = [](const std::string& problem) {
    return deck("", {"problem.name=" + problem}).strings("boundary.lower");
  };
  EXPECT_EQ(sides("spot"), (std::vector<std::string>{"outflow", "outflow", "outflow"}));
  EXPECT_EQ(sides("plane"), (std::vector<std::string>{"problem", "problem", "problem"}));
}

TEST(LoadDeck, of_one_problem_has_its_defaults_and_keys_without_its_name) {
  std::vector<Application> all{testing::stream()};
  all[0].problems.erase(all[0].problems.begin());
  const auto loaded = load_deck(all, "problem.slope = 2.0\n", "stream.toml");
  EXPECT_EQ(loaded.string("problem.name"), "plane");
  EXPECT_EQ(loaded.real("problem.slope"), 2.0);
  EXPECT_EQ(loaded.strings("boundary.lower"), std::vector<std::string>(3, "problem"));
}

TEST(LoadDeck, has_the_defaults_of_the_application_but_where_the_problem_has_its_own) {
  std::vector<Application> all = applications();
  const std::vector<std::string> sides(3, "periodic");
  all[0].defaults = {{"mesh.dim", std::int64_t{2}}, {"boundary.lower", sides}};
  const auto spot = load_deck(all, "problem.name = \"spot\"\n", "stream.toml");
  EXPECT_EQ(spot.integer("mesh.dim"), 2);
  EXPECT_EQ(spot.strings("boundary.lower"), sides);
  const auto plane = load_deck(all, "problem.name = \"plane\"\nmesh.dim = 1\n", "stream.toml");
  EXPECT_EQ(plane.integer("mesh.dim"), 1);
  EXPECT_EQ(plane.strings("boundary.lower"), std::vector<std::string>(3, "problem"));
}

TEST(LoadDeck, refuses_defaults_of_a_problem_that_are_of_no_key) {
  std::vector<Application> all{testing::stream()};
  all[0].problems[0].defaults = {{"mesh.dims", std::int64_t{2}}};
  try {
    load_deck(all, "problem.name = \"spot\"\n", "stream.toml");
    FAIL() << "it was taken";
  } catch (const Error& error) {
    expect_parts(error.what(), {"'spot'", "'stream'", "mesh.dims"});
  }
}

TEST(LoadDeck, finds_the_application_and_the_problem_in_overrides_too) {
  const auto other = deck("application.name = \"stream\"\n", {"application.name=other"});
  EXPECT_EQ(application_of(applications(), other).name, "other");
  EXPECT_TRUE(other.is_declared("other.depth"));
  EXPECT_FALSE(other.is_declared("stream.wind"));
  const auto plane = deck("", {"problem.name=plane", "problem.slope=3"});
  EXPECT_EQ(plane.real("problem.slope"), 3.0);
}

TEST(LoadDeck, takes_the_keys_of_the_problem_alone) {
  EXPECT_FALSE(deck("problem.name = \"spot\"").is_declared("problem.slope"));
  EXPECT_FALSE(deck("problem.name = \"plane\"").is_declared("problem.width"));
  EXPECT_TRUE(deck("problem.name = \"plane\"").is_declared("problem.height"));
  expect_parts(complaint("[problem]\nname = \"spot\"\nslope = 2.0\n"),
               {"stream.toml:3", "unknown key 'problem.slope'",
                "(only problem.name = \"plane\" has it); leave it out"});
  expect_parts(complaint("[problem]\nname = \"plane\"\n", {"problem.width=0.1"}),
               {"'problem.width'", "only problem.name = \"spot\" has it"});
}

TEST(LoadDeck, says_which_application_a_key_belongs_to) {
  expect_parts(complaint("other.depth = 2.0\n"),
               {"'other.depth'", "only application.name = \"other\" has it"});
  expect_parts(complaint("", {"application.name=other", "stream.wind=[1, 0]"}),
               {"'stream.wind'", "only application.name = \"stream\" has it"});
}

TEST(LoadDeck, names_the_choices_where_there_is_no_such_application_or_problem) {
  expect_parts(complaint("application.name = \"streams\"\n"),
               {"application.name", "\"streams\"", "stream", "other"});
  const auto message = complaint("", {"problem.name=spots", "problem.slope=1"});
  expect_parts(message, {"problem.name", "\"spots\"", "spot", "plane"});
  EXPECT_EQ(message.find("problem.slope"), std::string::npos) << "some problem has it";
  expect_parts(complaint("", {"application.name=other", "problem.name=plane"}),
               {"problem.name", "\"plane\"", "spot"});
}

TEST(LoadDeck, says_nothing_else_where_there_is_no_such_application) {
  const auto message = complaint("time.cfl = 7\nproblem.name = \"pool\"\nother.depth = 2.0\n",
                                 {"application.name=othr", "tim.end=1"});
  expect_parts(message, {"application.name = \"othr\" (must be one of: stream, other)",
                         "did you mean 'other'?"});
  EXPECT_EQ(std::ranges::count(message, '\n'), 0) << message;
  const auto number = complaint("time.cfl = 7\n[application]\nname = 3\n");
  expect_parts(number, {"stream.toml:3: application.name = 3 (must be a text)"});
  EXPECT_EQ(std::ranges::count(number, '\n'), 0) << number;
}

TEST(LoadDeck, gives_a_resolved_deck_that_loads_again) {
  const auto loaded = deck("", {"problem.name=plane", "problem.slope=2.5", "mesh.dim=2"});
  EXPECT_EQ(deck(loaded.to_toml()).to_toml(), loaded.to_toml());
}

TEST(SetUp, takes_any_exception_for_a_bad_request) {
  const auto complaint_of = [](auto made) {
    auto application = applications()[0];
    application.set_up = made;
    return error_of([&] { set_up(application, testing::spot_deck()); });
  };
  using Setup = std::unique_ptr<AnySetup>;
  expect_parts(complaint_of([](const io::Deck&) -> Setup { throw std::runtime_error("no table"); }),
               {"'stream' cannot be set up: no table"});
  expect_parts(complaint_of([](const io::Deck& deck) -> Setup {
                 (void)deck.real("stream.wnd");
                 return nullptr;
               }),
               {"'stream' cannot be set up", "'stream.wnd'", "not declared"});
  expect_parts(complaint_of([](const io::Deck&) -> Setup { throw 7; }),
               {"'stream' cannot be set up"});
  EXPECT_EQ(complaint_of([](const io::Deck&) -> Setup { throw Error("its own words"); }),
            "its own words");
  expect_parts(complaint_of([](const io::Deck&) { return Setup(); }), {"has returned nothing"});
}

TEST(ParametersOf, come_in_the_order_in_which_they_are_listed) {
  const auto& stream = applications()[0];
  const auto names = names_of(parameters_of(applications(), stream, "plane"));
  const std::vector<std::string> first{"application.name", "problem.name", "problem.height",
                                       "problem.slope", "stream.wind"};
  ASSERT_GT(names.size(), first.size());
  EXPECT_TRUE(std::ranges::equal(first, std::vector(names.begin(), names.begin() + 5)));
  for (const auto& name : names_of(shared_parameters())) EXPECT_TRUE(has(names, name)) << name;
  EXPECT_TRUE(has(names, "output.derived"));
  EXPECT_FALSE(has(names, "problem.width"));
}

TEST(ParametersOf, no_problem_are_those_that_all_share_each_once) {
  auto names = names_of(parameters_of(applications(), applications()[0], ""));
  EXPECT_TRUE(has(names, "stream.wind"));
  EXPECT_FALSE(has(names, "problem.width"));
  EXPECT_FALSE(has(names, "problem.slope"));
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST(ParametersOf, an_application_without_derived_fields_have_no_key_for_them) {
  EXPECT_FALSE(
      has(names_of(parameters_of(applications(), applications()[1], "")), "output.derived"));
}

}  // namespace
}  // namespace thalweg::app
