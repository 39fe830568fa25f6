// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thalweg/io/parameter.hpp>

namespace thalweg::io {
namespace {

TEST(Range, bounds_are_included_or_not_as_said) {
  EXPECT_TRUE(Range::between(0, 1).contains(0));
  EXPECT_TRUE(Range::between(0, 1).contains(1));
  EXPECT_FALSE(Range::above_up_to(0, 1).contains(0));
  EXPECT_TRUE(Range::above_up_to(0, 1).contains(1));
  EXPECT_FALSE(Range::at_least(2).contains(1.999));
  EXPECT_FALSE(Range::above(2).contains(2));
}

TEST(Range, holds_finite_numbers_only) {
  EXPECT_TRUE(Range::any().contains(1e308));
  EXPECT_FALSE(Range::any().contains(INFINITY));
  EXPECT_FALSE(Range::at_least(0).contains(INFINITY));
  EXPECT_FALSE(Range::between(0, 1).contains(INFINITY));
  EXPECT_FALSE(Range::any().contains(NAN));
}

TEST(Range, text_shows_the_kind_of_each_bound) {
  EXPECT_EQ(Range::above_up_to(0, 0.5).text(), "(0, 0.5]");
  EXPECT_EQ(Range::at_least(1).text(), "[1, inf)");
  EXPECT_EQ(Range::any().text(), "");
}

TEST(Parameter, declared_in_a_line_is_what_its_members_say) {
  const Parameter n = integer("a.n", 3, "cells", "Number.", Range::at_least(1));
  EXPECT_EQ(n.default_value, DeckValue(std::int64_t{3}));
  EXPECT_EQ(describe(std::span(&n, 1)),
            describe(std::vector<Parameter>{{.name = "a.n",
                                             .default_value = std::int64_t{3},
                                             .unit = "cells",
                                             .range = Range::at_least(1),
                                             .doc = "Number."}}));
  const Parameter each = vector("a.each", {1, 1}, "cells", "Numbers.", Range::above(0));
  EXPECT_EQ(describe(std::span(&each, 1)),
            describe(std::vector<Parameter>{{.name = "a.each",
                                             .default_value = std::vector<double>{1, 1},
                                             .unit = "cells",
                                             .range = Range::above(0),
                                             .length = {1, 3},
                                             .doc = "Numbers."}}));
  const Parameter word = choice("a.word", "x", {"x", "y"}, "Word.");
  EXPECT_EQ(word.default_value, DeckValue(std::string("x")));
  EXPECT_EQ(word.choices, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(word.at_restart, AtRestart::fixed);
  const Parameter is_so = boolean("a.is_so", true, "So.");
  EXPECT_EQ(
      describe(std::span(&is_so, 1)),
      describe(std::vector<Parameter>{{.name = "a.is_so", .default_value = true, .doc = "So."}}));
  for (const Parameter& parameter : changeable({n, word}))
    EXPECT_EQ(parameter.at_restart, AtRestart::may_change);
}

TEST(TypeName, follows_the_default_and_the_choices) {
  EXPECT_EQ(type_name({.name = "a.b", .default_value = std::int64_t{1}}), "int");
  EXPECT_EQ(type_name({.name = "a.b", .default_value = 1.0}), "real");
  EXPECT_EQ(type_name({.name = "a.b", .default_value = std::string("x")}), "string");
  EXPECT_EQ(type_name({.name = "a.b", .default_value = std::string("x"), .choices = {"x", "y"}}),
            "choice");
  EXPECT_EQ(type_name({.name = "a.b", .default_value = std::vector<double>{}}), "reals");
}

TEST(TomlText, reals_look_like_reals) {
  EXPECT_EQ(toml_text(1.0), "1.0");
  EXPECT_EQ(toml_text(1e-5), "1e-05");
  EXPECT_EQ(toml_text(0.1), "0.1");
  EXPECT_EQ(toml_text(INFINITY), "inf");
  EXPECT_EQ(toml_text(std::vector<double>{-1, 0.5}), "[-1.0, 0.5]");
}

TEST(TomlText, strings_are_escaped) {
  EXPECT_EQ(toml_text(std::string("a\"b\\c\n")), "\"a\\\"b\\\\c\\u000A\"");
}

TEST(Describe, every_row_carries_its_declaration) {
  const std::vector<Parameter> parameters{
      {.name = "time.cfl",
       .default_value = 0.3,
       .range = Range::above_up_to(0, 1),
       .doc = "Courant number"},
      {.name = "mesh.lower",
       .default_value = std::vector<double>{0, 0, 0},
       .unit = "cm",
       .length = {1, 3},
       .doc = "lower corner"},
      {.name = "run.model", .default_value = std::string("bulk"), .choices = {"bulk", "dataflow"}}};

  const std::string table = describe(parameters);

  for (const char* part : {"time.cfl", "real", "0.3", "(0, 1]", "Courant number", "mesh.lower",
                           "cm", "x1..3", "choice", "bulk|dataflow"})
    EXPECT_NE(table.find(part), std::string::npos) << part << "\n" << table;
  EXPECT_TRUE(table.starts_with("time.cfl = 0.3")) << table;
  EXPECT_NE(table.find("\n\nmesh.lower"), std::string::npos) << "no gap between sections\n"
                                                             << table;
}

}  // namespace
}  // namespace thalweg::io
