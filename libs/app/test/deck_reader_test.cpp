// SPDX-License-Identifier: MIT
#include <thalweg/app/deck_reader.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::app {
namespace {

io::Deck load(std::vector<std::string> overrides) {
  using Reals = std::vector<double>;
  using Integers = std::vector<std::int64_t>;
  using Strings = std::vector<std::string>;
  const std::vector<io::Parameter> declared{
      {.name = "mesh.lower", .default_value = Reals{1, 2, 3}, .length = {1, 3}},
      {.name = "mesh.blocks", .default_value = Integers{4, 5, 6}, .length = {1, 3}},
      {.name = "mesh.cells", .default_value = Integers{16}, .length = {1, 3}},
      {.name = "mesh.kinds", .default_value = Strings{"a", "b", "c"}, .length = {1, 3}},
      {.name = "mesh.short", .default_value = Reals{1}, .length = {1, 3}},
      {.name = "mesh.levels", .default_value = std::int64_t{1}}};
  return io::Deck::load("", "x.toml", declared, overrides);
}

template <int D>
std::string complaints(const DeckReader<D>& reader) {
  try {
    reader.throw_if_wrong();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(DeckReader, takes_as_many_entries_of_a_default_as_there_are_axes) {
  const auto deck = load({});
  DeckReader<2> reader(deck);
  EXPECT_EQ(reader.reals("mesh.lower"), (Vec<2>{{1.0, 2.0}}));
  EXPECT_EQ(reader.integers("mesh.blocks"), (Index<2>{{4, 5}}));
  EXPECT_EQ(reader.strings("mesh.kinds"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(complaints(reader), "");
}

TEST(DeckReader, wants_one_entry_an_axis_of_what_is_given) {
  const auto deck = load({"mesh.lower=[7, 8, 9]", "mesh.blocks=[2]"});
  DeckReader<2> reader(deck);
  reader.reals("mesh.lower");
  reader.integers("mesh.blocks");
  const auto message = complaints(reader);
  for (const char* part : {"mesh.lower has 3 entries", "mesh.blocks has 1 entries", "needs 2"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(DeckReader, one_number_may_stand_for_all_axes) {
  const auto one = load({"mesh.cells=8"}), each = load({"mesh.cells=[8, 12, 16]"});
  EXPECT_EQ(DeckReader<3>(one).one_or_each("mesh.cells"), (Index<3>{{8, 8, 8}}));
  EXPECT_EQ(DeckReader<3>(each).one_or_each("mesh.cells"), (Index<3>{{8, 12, 16}}));
}

TEST(DeckReader, complains_of_a_default_with_fewer_entries_than_axes) {
  const auto deck = load({});
  DeckReader<2> plane(deck);
  plane.reals("mesh.short");
  EXPECT_NE(complaints(plane).find("mesh.short has 1 entries"), std::string::npos);
  DeckReader<1> line(deck);
  line.reals("mesh.short");
  EXPECT_EQ(complaints(line), "");
}

TEST(DeckReader, complains_of_numbers_that_no_int_holds) {
  for (const std::string large : {"5000000000", "-5000000000"}) {
    const auto deck = load(
        {"mesh.levels=" + large, "mesh.blocks=[2, " + large + "]", "mesh.cells=[" + large + "]"});
    DeckReader<2> reader(deck);
    reader.integer("mesh.levels");
    reader.integers("mesh.blocks");
    reader.one_or_each("mesh.cells");
    const auto message = complaints(reader);
    for (const char* key : {"mesh.levels = ", "mesh.blocks = ", "mesh.cells = "})
      EXPECT_NE(message.find(key + large + " (here it must be in [-2147483648, 2147483647])"),
                std::string::npos)
          << message;
  }
  const auto largest = load({"mesh.levels=2147483647"});
  DeckReader<1> reader(largest);
  EXPECT_EQ(reader.integer("mesh.levels"), 2147483647);
  EXPECT_EQ(complaints(reader), "");
}

TEST(DeckReader, lists_each_complaint_once) {
  const auto deck = load({});
  DeckReader<1> reader(deck);
  for (const char* error : {"this", "that", "this"}) reader.complain(error);
  EXPECT_EQ(complaints(reader), "this\nthat");
}

}  // namespace
}  // namespace thalweg::app
