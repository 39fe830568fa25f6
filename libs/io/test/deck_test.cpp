// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/random.hpp>
#include <thalweg/io/deck.hpp>

#include "../../../tests/support/text.hpp"

namespace thalweg::io {
namespace {

std::vector<Parameter> declared() {
  return {
      {.name = "mesh.max_level",
       .default_value = std::int64_t{2},
       .range = Range::between(0, 20),
       .doc = "finest level"},
      {.name = "mesh.lower",
       .default_value = std::vector<double>{0, 0, 0},
       .unit = "cm",
       .range = Range::between(-100, 100),
       .length = {1, 3},
       .doc = "lower corner"},
      {.name = "mesh.root_blocks",
       .default_value = std::vector<std::int64_t>{4, 4},
       .range = Range::at_least(1),
       .length = Length::exactly(2)},
      {.name = "time.cfl",
       .default_value = 0.3,
       .range = Range::above_up_to(0, 1),
       .doc = "Courant number"},
      {.name = "time.end", .default_value = 1.0, .unit = "s", .range = Range::at_least(0)},
      {.name = "run.model", .default_value = std::string("bulk"), .choices = {"bulk", "dataflow"}},
      {.name = "output.path", .default_value = std::string("out")},
      {.name = "output.fields", .default_value = std::vector<std::string>{"density"}},
      {.name = "output.trace", .default_value = false},
      tables("source.beams", {{{"density", 1.}, {"drift", 0.}}},
             {real("density", 1, "", "How many.", Range::above(0)),
              real("drift", 0, "cm/s", "How fast.")},
             "Beams."),
  };
}

Deck load(std::string_view text, std::vector<std::string> overrides = {}) {
  return Deck::load(text, "run.toml", declared(), overrides);
}

/// The message of the error that loading throws; empty if it does not.
std::string error_of(std::string_view text, std::vector<std::string> overrides = {}) {
  try {
    load(text, std::move(overrides));
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

using thalweg::testing::expect_parts;

TEST(Deck, defaults_hold_where_nothing_is_given) {
  const Deck deck = load("");

  EXPECT_EQ(deck.integer("mesh.max_level"), 2);
  EXPECT_EQ(deck.real("time.cfl"), 0.3);
  EXPECT_EQ(deck.string("run.model"), "bulk");
  EXPECT_FALSE(deck.is_given("time.cfl"));
}

TEST(Deck, tables_of_a_list_have_a_number_for_every_column) {
  using Tables = std::vector<NumberTable>;
  EXPECT_EQ(load("").tables("source.beams"), (Tables{{{"density", 1.}, {"drift", 0.}}}));
  const Tables two{{{"density", 0.9}, {"drift", 0.}}, {{"density", 1.}, {"drift", 4.5}}};
  EXPECT_EQ(load("[source]\nbeams = [{density = 0.9}, {drift = 4.5}]").tables("source.beams"), two);
  EXPECT_EQ(
      load("[[source.beams]]\ndensity = 0.9\n[[source.beams]]\ndrift = 4.5").tables("source.beams"),
      two);
  EXPECT_EQ(load("", {"source.beams=[{density=0.9}, {drift=4.5}]"}).tables("source.beams"), two);
  EXPECT_TRUE(load("[source]\nbeams = []").tables("source.beams").empty());
  EXPECT_EQ(load(load("", {"source.beams=[{density=0.9}, {drift=4.5}]"}).to_toml())
                .tables("source.beams"),
            two);
}

TEST(Deck, tables_of_a_list_are_checked_number_by_number) {
  expect_parts(error_of("[source]\nbeams = [{densty = 1}]"),
               {"run.toml:2", "source.beams", "'densty'", "[\"density\", \"drift\"]"});
  expect_parts(error_of("[source]\nbeams = [{density = -1}]"),
               {"source.beams", "density", "-1", "(0, inf)"});
  expect_parts(error_of("[source]\nbeams = [{density = \"many\"}]"), {"source.beams", "tables"});
  expect_parts(error_of("[source]\nbeams = 3"), {"source.beams", "3", "tables"});
  expect_parts(error_of("[source.beams]\ndensity = 3"),
               {"unknown key 'source.beams.density'; source.beams is a list of tables, such as ["});
}

TEST(Deck, values_of_the_file_replace_defaults) {
  const Deck deck = load(R"(
    [mesh]
    max_level = 3
    lower = [-1, -0.5]
    root_blocks = [8, 2]
    [time]
    cfl = 0.5
    [run]
    model = "dataflow"
    [output]
    fields = ["density", "pressure"]
    trace = true)");

  EXPECT_EQ(deck.integer("mesh.max_level"), 3);
  EXPECT_EQ(deck.reals("mesh.lower"), (std::vector<double>{-1, -0.5}));
  EXPECT_EQ(deck.integers("mesh.root_blocks"), (std::vector<std::int64_t>{8, 2}));
  EXPECT_EQ(deck.real("time.cfl"), 0.5);
  EXPECT_EQ(deck.string("run.model"), "dataflow");
  EXPECT_EQ(deck.strings("output.fields"), (std::vector<std::string>{"density", "pressure"}));
  EXPECT_TRUE(deck.boolean("output.trace"));
  EXPECT_TRUE(deck.is_given("time.cfl"));
}

TEST(Deck, overrides_win_over_the_file) {
  const Deck deck = load("[time]\ncfl = 0.5", {"time.cfl=0.25", "mesh.lower=[1,2,3]"});

  EXPECT_EQ(deck.real("time.cfl"), 0.25);
  EXPECT_EQ(deck.reals("mesh.lower"), (std::vector<double>{1, 2, 3}));
}

TEST(Deck, strings_in_overrides_need_no_quotes) {
  EXPECT_EQ(load("", {"output.path=a b/plt"}).string("output.path"), "a b/plt");
  EXPECT_EQ(load("", {"output.path=\"quoted\""}).string("output.path"), "quoted");
  EXPECT_EQ(load("", {"run.model=dataflow"}).string("run.model"), "dataflow");
  EXPECT_EQ(load("", {"output.path="}).string("output.path"), "");
}

TEST(Deck, lists_of_strings_in_overrides_need_none_either) {
  const std::vector<Parameter> parameters{
      {.name = "output.derived", .default_value = std::vector<std::string>{}}};
  const auto derived = [&](const std::string& value) {
    const std::vector<std::string> overrides{"output.derived=" + value};
    return Deck::load("", "run.toml", parameters, overrides).strings("output.derived");
  };
  using Strings = std::vector<std::string>;
  EXPECT_EQ(derived("[mach]"), Strings{"mach"});  // what shells leave of ["mach"]
  EXPECT_EQ(derived("[mach, x_velocity ]"), (Strings{"mach", "x_velocity"}));
  EXPECT_EQ(derived("[\"mach\", 'pressure']"), (Strings{"mach", "pressure"}));
  EXPECT_EQ(derived("[]"), Strings{});
  EXPECT_THROW(derived("[mach,]x"), Error);
  EXPECT_THROW(derived("[mach; pressure]"), Error);
}

TEST(Deck, unknown_override_is_named_whatever_its_value) {
  expect_parts(error_of("", {"time.edn=ctu"}), {"unknown key 'time.edn'", "time.end"});
}

TEST(Deck, integer_serves_as_real_and_not_the_other_way_round) {
  EXPECT_EQ(load("[time]\nend = 3").real("time.end"), 3.0);
  EXPECT_EQ(load("[mesh]\nlower = [1, 2]").reals("mesh.lower"), (std::vector<double>{1, 2}));
  expect_parts(error_of("[mesh]\nmax_level = 3.0"),
               {"run.toml:2", "mesh.max_level", "3.0", "a whole number, such as 4"});
  expect_parts(error_of("[mesh]\nroot_blocks = [4.5, 4]"),
               {"mesh.root_blocks", "4.5", "a list of whole numbers, such as [4, 4]"});
}

TEST(Deck, integer_serves_as_a_list_that_may_have_one_element) {
  const std::vector<Parameter> parameters{{.name = "mesh.block_cells",
                                           .default_value = std::vector<std::int64_t>{16},
                                           .range = Range::between(8, 64),
                                           .length = {1, 3}}};
  const auto cells = [&](const char* text) {
    return Deck::load(text, "run.toml", parameters).integers("mesh.block_cells");
  };

  EXPECT_EQ(cells("[mesh]\nblock_cells = 8"), (std::vector<std::int64_t>{8}));
  EXPECT_EQ(cells("[mesh]\nblock_cells = [8, 16]"), (std::vector<std::int64_t>{8, 16}));
  EXPECT_THROW(cells("[mesh]\nblock_cells = 7"), Error);
  expect_parts(error_of("[mesh]\nroot_blocks = 4"),
               {"mesh.root_blocks", "4", "a list of whole numbers, such as [4, 4]"});
  expect_parts(thalweg::testing::error_of([&] { cells("[mesh]\nblock_cells = 8.5"); }),
               {"8.5", "a whole number or a list of them, such as [8, 8]"});
}

TEST(Deck, unknown_key_suggests_the_nearest) {
  expect_parts(error_of("[mesh]\nmax_levle = 3"),
               {"run.toml:2", "mesh.max_levle", "'mesh.max_level'"});
  expect_parts(error_of("[mesh]\ncfl = 0.3"), {"mesh.cfl", "'time.cfl'"});
  expect_parts(error_of("", {"tme.cfl=0.3"}), {"tme.cfl", "'time.cfl'"});
  expect_parts(error_of("mesh = 3"), {"'mesh'"});
  expect_parts(error_of("[mesh.deep]\nmax_level = 3"), {"mesh.deep.max_level", "'mesh.max_level'"});
  EXPECT_EQ(error_of("[zzz]\nqqqqqqqq = 3").find("did you mean"), std::string::npos);
  expect_parts(error_of("[zzz]\nqqqqqqqq = 3"), {"the sections are", "time"});
  expect_parts(error_of("[time]\nqqqqqqqq = 3"), {"[time] has", "cfl"});
}

TEST(Deck, word_that_is_no_choice_suggests_the_nearest) {
  expect_parts(error_of("run.model = 'dataflw'"),
               {"(must be one of: bulk, dataflow); did you mean 'dataflow'?"});
  EXPECT_EQ(error_of("run.model = 'fast'").find("did you mean"), std::string::npos);
  EXPECT_EQ(error_of("run.model = ''").find("did you mean"), std::string::npos);
}

TEST(Deck, key_that_decides_which_others_there_are_is_the_only_error_if_it_is_wrong) {
  auto all = declared();
  all[5].decides_keys = true;
  try {
    Deck::load("mesh.max_levle = 3\nrun.model = 'dataflw'\ntime.cfl = 7\n", "run.toml", all);
    FAIL() << "it was taken";
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()),
              "run.toml:2: run.model = \"dataflw\" (must be one of: bulk, dataflow); did you mean "
              "'dataflow'?");
  }
  const std::vector<std::string> right{"run.model=bulk"};
  EXPECT_EQ(Deck::load("run.model = 'dataflw'", "run.toml", all, right).string("run.model"),
            "bulk");
}

TEST(Deck, unknown_key_that_is_declared_elsewhere_is_said_to_be_there) {
  const std::vector<ForeignKey> foreign{{"problem.energy", "problem.name = \"sedov\""},
                                        {"problem.axis", "problem.name = \"sod\""},
                                        {"problem.axis", "problem.name = \"tube\""}};
  const auto error_with = [&](std::string_view text) -> std::string {
    try {
      Deck::load(text, "run.toml", declared(), {}, foreign);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  expect_parts(
      error_with("[problem]\nenergy = 2.0\n"),
      {"run.toml:2",
       "unknown key 'problem.energy' (only problem.name = \"sedov\" has it); leave it out"});
  expect_parts(error_with("problem.axis = 1\n"),
               {"only problem.name = \"sod\", problem.name = \"tube\" has it"});
  expect_parts(error_with("mesh.max_levels = 1\n"), {"did you mean 'mesh.max_level'?"});
}

TEST(Deck, says_what_is_declared) {
  const auto deck = load("");
  EXPECT_TRUE(deck.is_declared("time.cfl"));
  EXPECT_FALSE(deck.is_declared("time.cfk"));
  const auto all = deck.parameters();
  ASSERT_EQ(all.size(), declared().size());
  for (std::size_t n = 0; n < all.size(); ++n) EXPECT_EQ(all[n].name, declared()[n].name);
}

TEST(FindString, overrides_win_over_the_text_and_nothing_else_is_looked_at) {
  constexpr auto text = "what = 7\n[problem]\nname = \"sod\"\naxis = \"x\"\n";
  const auto find = [&](std::vector<std::string> overrides, std::string_view name) {
    return find_string(text, overrides, name);
  };
  EXPECT_EQ(find({}, "problem.name"), "sod");
  EXPECT_EQ(find({"problem.axis=3", "problem.name=sedov"}, "problem.name"), "sedov");
  EXPECT_EQ(find({"problem.name='noh'", "problem.name=\"blast\""}, "problem.name"), "blast");
  EXPECT_EQ(find({"nonsense", "=", "problem.names=noh"}, "problem.name"), "sod");
  EXPECT_EQ(find({}, "problem.nam"), std::nullopt);
  EXPECT_EQ(find({}, "what"), std::nullopt) << "no string";
  EXPECT_EQ(find_string("[problem\n", {}, "problem.name"), std::nullopt) << "no TOML";
}

TEST(Deck, wrong_type_names_key_value_and_wanted_type) {
  expect_parts(error_of("[time]\ncfl = \"fast\""), {"run.toml:2", "time.cfl", "fast", "a number"});
  expect_parts(error_of("[output]\ntrace = 1"), {"output.trace", "1", "true or false"});
  expect_parts(error_of("[output]\nfields = [1]"),
               {"output.fields", "[1]", "a word or a list of them"});
  expect_parts(error_of("[time]\nend = 1979-05-27"), {"time.end", "a number"});
  expect_parts(error_of("[output]\nfields = [\"a\", 1]"),
               {"output.fields", "a word or a list of them"});
}

TEST(Deck, out_of_range_names_value_range_and_unit) {
  expect_parts(error_of("[time]\ncfl = 1.5"), {"time.cfl", "1.5", "(0, 1]"});
  expect_parts(error_of("[time]\ncfl = 0"), {"time.cfl", "(0, 1]"});
  expect_parts(error_of("[time]\nend = -1"), {"time.end", "-1 [s] (must be in [0, inf))"});
  expect_parts(error_of("[mesh]\nlower = [0, 200]"), {"mesh.lower", "200", "[-100, 100]", "cm"});
  expect_parts(error_of("[time]\nend = nan"), {"time.end", "nan"});
  expect_parts(error_of("", {"run.model=bsp"}), {"run.model", "bsp", "bulk", "dataflow"});
}

TEST(Deck, integer_of_more_than_64_bits_is_refused) {
  expect_parts(error_of("[time]\nend = 99999999999999999999"), {"run.toml:2", "time.end"});
  expect_parts(error_of("[mesh]\nroot_blocks = [-99999999999999999999, 1]"), {"mesh.root_blocks"});
}

TEST(Deck, largest_number_of_all_is_refused_from_an_override_as_from_a_text) {
  // It stands for any that is larger, where a text is read: what a run took, a restart must take.
  const std::string largest = "1.7976931348623157e308";
  expect_parts(error_of("[time]\nend = " + largest), {"time.end", "too large a number"});
  expect_parts(error_of("", {"time.end=" + largest}), {"time.end", "too large a number"});
  EXPECT_EQ(error_of("", {"time.end=1.7976931348623155e308"}), "");
}

TEST(Deck, number_that_doubles_do_not_have_is_refused_with_its_line) {
  for (const std::string number : {"1e-400", "-1_0E-400", "0.000_1e-330", "1e400", "+1e400"})
    for (const std::string& value :
         {number, "[0.5, " + number + "]", "[{density = " + number + "}]"})
      expect_parts(error_of("# 1e-400\n[output]\npath = \"1e-400\"\n[time]\nend = " + value),
                   {"run.toml", "line 5", "too large, or too near to 0"});
  expect_parts(error_of("", {"time.end=1e-400"}), {"time.end=1e-400", "a number"});
  expect_parts(error_of("", {"mesh.lower=[0, 1e-400]"}), {"mesh.lower=[0, 1e-400]", "a number"});
  for (const std::string number : {"0e-400", "0.0", "-0.0", "1e-310", "5e-324", "1979-05-27"})
    EXPECT_EQ(error_of("[time]\nend = " + number).find("too near to 0"), std::string::npos);
  EXPECT_EQ(load("[time]\nend = 5e-324").real("time.end"), 5e-324);
}

TEST(Deck, list_of_wrong_length_is_refused) {
  expect_parts(error_of("[mesh]\nroot_blocks = [1, 2, 3]"), {"mesh.root_blocks", "3", "2"});
  expect_parts(error_of("[mesh]\nlower = []"), {"mesh.lower", "0", "1 to 3"});
  EXPECT_TRUE(load("[output]\nfields = []").strings("output.fields").empty());
}

TEST(Deck, broken_toml_names_line_and_column) {
  expect_parts(error_of("[time]\ncfl = = 3"), {"run.toml", "line 2 column 7"});
  expect_parts(error_of("[time\ncfl = 3"), {"line 1 column 1"});
  expect_parts(error_of("[time]\n\ncfl = 0.1 0.2"), {"line 3 column 11"});
  expect_parts(error_of("[time]\ncfl = 0.1\ncfl = 0.2"), {"run.toml", "cfl"});
}

TEST(Deck, what_is_not_utf8_is_refused_with_its_place) {
  for (const char* bad :
       {"\xff", "\xc3(", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"})
    expect_parts(error_of("[output]\npath = '" + std::string(bad)), {"line 2 column 9", "UTF-8"});
  EXPECT_EQ(load("[output]\npath = 'ü€😀'").string("output.path"), "ü€😀");
}

TEST(Deck, control_characters_are_refused_with_their_place) {
  using namespace std::string_literals;
  for (const auto& bad : {"ELF\x01"s, "ELF\0"s, "#  \x7f"s})
    expect_parts(error_of("\n\t \r\n" + bad), {"line 3 column 4", "control character"});
}

TEST(Deck, control_characters_are_refused_in_values_that_spell_them_out) {
  const std::string says = "must be text without control characters";
  expect_parts(error_of("[output]\npath = \"a\\u001b[2J\""), {"output.path", "a\\x1b[2J", says});
  expect_parts(error_of("[output]\nfields = [\"a\", \"\\u009b2J\"]"), {"output.fields", says});
  expect_parts(error_of("", {"output.path=\"\\u0007\""}), {"output.path", says});
}

TEST(Deck, broken_override_is_quoted) {
  expect_parts(error_of("", {"time.cfl"}), {"'time.cfl'", "section.key=value"});
  expect_parts(error_of("", {"cfl=0.2"}), {"'cfl=0.2'", "did you mean 'time.cfl'?"});
  expect_parts(error_of("", {"output.trace=False"}), {"output.trace=False", "true or false"});
  expect_parts(error_of("", {"mesh.max_level=two"}), {"a whole number, such as 4"});
  expect_parts(error_of("", {"mesh.root_blocks=4 4"}), {"such as [4, 4]"});
  expect_parts(error_of("", {"time.end=1.d-2"}), {"a number, such as 0.05"});
  expect_parts(error_of("", {"=3"}), {"'=3'", "section.key=value"});
  expect_parts(error_of("", {"time.cfl="}), {"'time.cfl='", "no value"});
  expect_parts(error_of("", {"time.cfl=0.1\nother = 2"}), {"time.cfl=0.1", "one value"});
  expect_parts(error_of("", {"time.cfl={a = 1}"}), {"time.cfl={a = 1}", "a number, such as"});
}

TEST(Deck, all_errors_are_reported_together) {
  const std::string message = error_of("[time]\ncfl = 2\nend = true\n[mesh]\nmax_levl = 1\n",
                                       {"run.model=bsp", "nonsense"});

  expect_parts(message, {"time.cfl", "time.end", "mesh.max_levl", "run.model", "nonsense"});
  EXPECT_EQ(std::ranges::count(message, '\n'), 4) << "not one a line:\n" << message;
}

TEST(Deck, resolved_deck_loads_to_the_same_values) {
  const Deck first =
      load("[time]\ncfl = 0.1\nend = 12345.678901234567\n[mesh]\nlower = [1e-300, -0.0]",
           {"output.path=a\"b\\c\tü", "output.fields=[]"});

  const Deck second = load(first.to_toml());

  EXPECT_EQ(second.real("time.end"), 12345.678901234567);
  EXPECT_EQ(second.reals("mesh.lower")[0], 1e-300);
  EXPECT_TRUE(std::signbit(second.reals("mesh.lower")[1]));
  EXPECT_EQ(second.string("output.path"), "a\"b\\c\tü");
  EXPECT_TRUE(second.strings("output.fields").empty());
  EXPECT_EQ(second.to_toml(), first.to_toml());
}

TEST(Deck, random_reals_survive_writing_bit_by_bit) {
  SplitMix64 random(7);
  for (int i = 0; i < 300; ++i) {
    const double x = std::ldexp(random.uniform(), static_cast<int>(random.below(1800)) - 900);

    const Deck deck = load(load("", {"time.end=" + toml_text(x)}).to_toml());

    ASSERT_EQ(std::bit_cast<std::uint64_t>(deck.real("time.end")), std::bit_cast<std::uint64_t>(x));
  }
}

TEST(Deck, asking_for_what_is_not_declared_is_a_bug) {
  const Deck deck = load("");

  const auto said = [&](const char* name) -> std::string {
    try {
      deck.real(name);
    } catch (const ContractViolation& violation) {
      return violation.what();
    }
    return "nothing";
  };
  expect_parts(said("time.none"), {"'time.none'", "not declared", "Application::parameters"});
  EXPECT_EQ(said("mesh.max_level"),
            "parameter 'mesh.max_level' is read as a real number (it is declared as a whole "
            "number); read it by integer()");
  auto twice = declared();
  twice.push_back(twice.front());
  EXPECT_THROW(Deck::load("", "run.toml", twice), ContractViolation);
}

TEST(Deck, any_text_gives_a_deck_or_an_error) {
  const std::string valid =
      "[mesh]\nmax_level = 3 # c\nlower = [-1.5e3, 0x1F]\n[time]\ncfl = 0.5\n"
      "[output]\npath = 'a'\nfields = [\"d\", \"\"\"m\"\"\"]\ntrace = true\nx = {a = 1, b.c = 2}\n"
      "d = 1979-05-27T07:32:00Z\n";
  const std::string letters = "[]{}=.,\"'#\n\\ue+-_:T0x1i\xff\xc3\r\0";
  constexpr int n_texts = 3000;
  SplitMix64 random(11);
  int n_decks = 0;
  for (int i = 0; i < n_texts; ++i) {
    std::string text = valid;
    for (std::uint64_t n = 1 + random.below(4); n > 0; --n) {
      const std::size_t at = random.below(text.size());
      const char letter = letters[random.below(letters.size())];
      switch (random.below(3)) {
        case 0:
          text[at] = letter;
          break;
        case 1:
          text.insert(at, 1, letter);
          break;
        default:
          text.resize(std::max<std::size_t>(at, 1));
      }
    }
    try {  // it must not crash, hang or throw anything else
      const std::string resolved = load(text).to_toml();
      EXPECT_EQ(load(resolved).to_toml(), resolved) << text;
      ++n_decks;
    } catch (const Error& error) {
      EXPECT_STRNE(error.what(), "") << text;
    }
  }
  EXPECT_GT(n_decks, 0);
  EXPECT_LT(n_decks, n_texts);
}

TEST(Deck, deep_nesting_is_an_error_not_a_crash) {
  std::string dotted = "a";
  for (int i = 0; i < 100000; ++i) dotted += ".a";

  expect_parts(error_of("x = " + std::string(100000, '[')), {"nested"});
  expect_parts(error_of("x = " + std::string(100000, '{')), {"nested"});
  expect_parts(error_of(dotted + " = 1"), {"nested"});
  expect_parts(error_of("[" + dotted + "]"), {"nested"});
  expect_parts(error_of(std::string(2 << 20, '\n')), {"2097152"});
  std::string behind_comments = "a = ", numbered = "a";
  for (int i = 0; i < 60000; ++i) behind_comments += "[ # ]\n";
  for (int i = 0; i < 100000; ++i) numbered += ".1";
  expect_parts(error_of(behind_comments), {"line 33: nested"});
  expect_parts(error_of(numbered + " = 1"), {"nested"});
}

TEST(Deck, brackets_and_dots_in_strings_and_comments_are_not_nested) {
  const std::string many(100, '['), dots(100, '.');
  for (const std::string& text :
       {"# " + many + dots + "\n", "problem.name = \"" + many + dots + "\\\"" + many + "\"",
        "problem.name = '" + dots + "'",
        "problem.name = \"\"\"\n" + many + "\n\"" + many + "\"\"\"",
        "problem.name = '''" + many + "\n'" + many + "'''"})
    EXPECT_EQ(error_of(text).find("nested"), std::string::npos) << text;
  expect_parts(error_of("problem.name = \"\"\"\n\n\"\"\"\nx = " + many), {"line 4: nested"});
}

TEST(Deck, overrides_may_have_fractions_and_blanks_around_the_sign) {
  const std::vector<Parameter> parameters{real("problem.gamma", 1.4, "", "", Range::above(1))};
  const auto gamma = [&](const std::string& text) {
    return Deck::load("", "run.toml", parameters, std::vector<std::string>{text})
        .real("problem.gamma");
  };
  EXPECT_EQ(gamma("problem.gamma=5/3"), 5.0 / 3.0);
  EXPECT_EQ(gamma("problem.gamma = 7 / 5"), 1.4);
  EXPECT_EQ(gamma("problem.gamma = 2"), 2.0);
  EXPECT_EQ(gamma("problem.gamma=15.e-1"), 1.5);
  for (const char* wrong : {"problem.gamma=5/", "problem.gamma=5/0", "problem.gamma=5/3/2",
                            "problem.gamma=a/b", "problem.gamma = ", "problem .gamma=2"})
    EXPECT_THROW(gamma(wrong), Error) << wrong;
}

TEST(Deck, overrides_of_lists_may_have_numbers_as_those_of_numbers) {
  const auto lower = [](const std::string& text) {
    return load("", {"mesh.lower=" + text}).reals("mesh.lower");
  };
  EXPECT_EQ(lower("[0,-1.]"), (std::vector<double>{0, -1}));
  EXPECT_EQ(lower("[ .1, 1/3 ]"), (std::vector<double>{0.1, 1.0 / 3}));
  EXPECT_EQ(lower("[0x1F, 2]"), (std::vector<double>{31, 2}));  // as TOML has it
  for (const char* wrong : {"[1/0]", "[1,,2]", "[1, a]", "1,2", "[nan]"})
    EXPECT_THROW(lower(wrong), Error) << wrong;
}

TEST(Deck, lists_of_one_need_no_brackets_where_they_may_be_so_short) {
  const Deck deck = load("[mesh]\nlower = -0.5\n[output]\nfields = \"pressure\"");
  EXPECT_EQ(deck.reals("mesh.lower"), std::vector{-0.5});
  EXPECT_EQ(deck.strings("output.fields"), std::vector<std::string>{"pressure"});
  EXPECT_EQ(load("[mesh]\nlower = 2").reals("mesh.lower"), std::vector{2.0});
  EXPECT_EQ(load("", {"mesh.lower=-.5"}).reals("mesh.lower"), std::vector{-0.5});
  EXPECT_EQ(load("", {"output.fields=pressure"}).strings("output.fields"),
            std::vector<std::string>{"pressure"});
  expect_parts(error_of("[mesh]\nroot_blocks = 4"), {"a list of whole numbers"});  // of two
}

TEST(Deck, errors_are_lines_that_can_be_read_whatever_keys_and_values_are) {
  const std::string key(500'000, 'k');
  for (const std::string& text :
       {std::string("\"\\u001b[2J\" = 1\n"), std::string("[run]\nmodel = \"a\\nb\\u007f\"\n"),
        "[mesh]\n" + key + " = 1\n", "[run]\nmodel = \"" + key + "\"\n"}) {
    const std::string said = error_of(text);
    EXPECT_TRUE(!said.empty() && said.size() < 1200);
    EXPECT_TRUE(std::ranges::all_of(said, [](char c) { return c >= 0x20 && c < 0x7f; })) << said;
  }
}

TEST(Deck, says_which_keys_have_no_effect_beside_the_others) {
  using Strings = std::vector<std::string>;
  std::vector<Parameter> parameters{
      {.name = "a.scheme", .default_value = "x", .choices = {"x", "y", "z"}},
      {.name = "a.criteria", .default_value = Strings{"one"}, .choices = {"one", "two"}},
      {.name = "a.damping", .default_value = 0.1, .used_with = {"a.scheme", {"y", "z"}}}};
  for (auto& p : used_with({"a.criteria", {"two"}}, {integer("a.width", 3, "", "")}))
    parameters.push_back(std::move(p));
  const auto said = [&](const Strings& overrides) {
    return Deck::load("", "run.toml", parameters, overrides).without_effect();
  };
  EXPECT_EQ(said({}), Strings{});
  EXPECT_EQ(said({"a.damping=0.1", "a.width=3"}), Strings{}) << "they are as by default";
  EXPECT_EQ(said({"a.damping=0.2", "a.scheme=z"}), Strings{});
  EXPECT_EQ(said({"a.width=4", "a.criteria=['one', 'two']"}), Strings{});
  EXPECT_EQ(
      said({"a.damping=0.2", "a.width=4"}),
      (Strings{"a.damping = 0.2 has no effect: it is used with a.scheme = \"y\" or \"z\", not "
               "\"x\"",
               "a.width = 4 has no effect: it is used with a.criteria = [\"two\"], not "
               "[\"one\"]"}));
}

TEST(Deck, keys_are_used_with_choices_that_there_are) {
  const Parameter scheme{.name = "a.scheme", .default_value = "x", .choices = {"x", "y"}};
  for (const UsedWith& other : {UsedWith{"a.scheme", {"y", "Y"}}, UsedWith{"a.shceme", {"y"}}}) {
    const std::vector<Parameter> parameters{
        scheme, {.name = "a.damping", .default_value = 0.1, .used_with = other}};
    EXPECT_THROW(Deck::load("", "run.toml", parameters), ContractViolation);
  }
}

TEST(Deck, what_must_be_given_is_missed) {
  const std::vector<Parameter> parameters{
      {.name = "problem.name", .default_value = "a", .choices = {"a", "b"}, .must_be_given = true}};
  try {
    Deck::load("", "run.toml", parameters);
    FAIL() << "a deck without it is taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("run.toml: problem.name is missing"),
              std::string::npos)
        << error.what();
  }
  try {
    Deck::load("problem.name == \"a\"", "run.toml", parameters);
    FAIL() << "no TOML is taken";
  } catch (const Error& error) {  // it may be there: nobody can read it
    EXPECT_EQ(std::string(error.what()).find("is missing"), std::string::npos) << error.what();
  }
  EXPECT_EQ(Deck::load("", "run.toml", parameters, std::vector<std::string>{"problem.name=a"})
                .string("problem.name"),
            "a");
}

TEST(Deck, so_many_errors_as_can_be_read_are_told) {
  std::string text;
  for (int n = 0; n < 1000; ++n) text += "k" + std::to_string(n) + " = 1\n";
  const std::string message = error_of(text);
  EXPECT_EQ(std::ranges::count(message, '\n'), 20);
  EXPECT_NE(message.find("and 980 more"), std::string::npos) << message;
}

}  // namespace
}  // namespace thalweg::io
