// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <thalweg/core/contract.hpp>
#include <thalweg/core/crc32c.hpp>
#include <thalweg/io/manifest.hpp>

#include "sample_manifest.hpp"

namespace thalweg::io {
namespace {

using testing::resealed;
using testing::sample_manifest;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Manifest, reads_back_to_the_same_bits) {
  Manifest m = sample_manifest();
  m.time = 0.1 + 0.2;
  m.lower = {-0.0, 5e-324};
  m.totals_at_start = {1.7976931348623157e308, -1.0 / 3.0};

  const auto read = parse_manifest(to_text(m));

  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, m);
  EXPECT_TRUE(std::signbit(read->lower[0]));
}

TEST(Manifest, has_the_functions_that_a_run_had_beside_its_deck) {
  Manifest m = sample_manifest();
  EXPECT_EQ(to_text(m).find("functions"), std::string::npos);
  m.functions = {"tags", "source", "initial", "longest_dt"};
  const auto read = parse_manifest(to_text(m));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, m);
  m.functions = {"anything"};
  EXPECT_FALSE(parse_manifest(to_text(m)));
}

TEST(Manifest, has_the_origin_of_equal_steps_where_that_is_not_the_start) {
  Manifest m = sample_manifest();
  EXPECT_EQ(to_text(m).find("origin"), std::string::npos);
  m.origin_step = 8;
  m.origin_time = 0.75;
  const auto read = parse_manifest(to_text(m));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, m);
  m.origin_step = m.step + 1;
  EXPECT_FALSE(parse_manifest(to_text(m)));
}

TEST(Manifest, has_a_last_regrid_of_its_step_or_before) {
  Manifest m = sample_manifest();
  m.last_regrid = m.step;
  EXPECT_TRUE(parse_manifest(to_text(m)));
  m.last_regrid = m.step + 1;  // a run that goes on would not regrid for as many steps
  const auto read = parse_manifest(to_text(m));
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("last_regrid in [0, step]"), std::string::npos)
      << read.error().message;
}

TEST(Manifest, is_a_text_that_people_can_read) {
  const std::string text = to_text(sample_manifest());

  EXPECT_TRUE(text.starts_with("thalweg checkpoint 1\nlength 00000000")) << text;
  EXPECT_NE(text.find("\nstep 40\ntime 0.125\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\ncomponents rho E\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\ndeck 18\n[time]\nend = 0.5\n\n\ncrc32c "), std::string::npos) << text;
}

TEST(Manifest, a_deck_may_hold_anything) {
  Manifest m = sample_manifest();
  for (const std::string_view deck : {"", "\n", "crc32c 00000000\n", "deck 3\nabc\n", "\xff\x01"}) {
    m.deck = deck;
    const auto read = parse_manifest(to_text(m));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->deck, deck);
  }
}

TEST(Manifest, any_beginning_of_it_is_refused) {
  const std::string text = to_text(sample_manifest());
  for (std::size_t n = 0; n < text.size(); ++n)
    EXPECT_FALSE(parse_manifest(text.substr(0, n))) << n;
  EXPECT_FALSE(parse_manifest(text + "\n"));
  EXPECT_FALSE(parse_manifest(text + text));
}

TEST(Manifest, any_wrong_bit_is_refused) {
  std::string text = to_text(sample_manifest());
  for (char& c : text)
    for (int bit = 0; bit < 8; ++bit) {
      c = static_cast<char>(c ^ (1 << bit));
      EXPECT_FALSE(parse_manifest(text));
      c = static_cast<char>(c ^ (1 << bit));
    }
}

TEST(Manifest, says_what_is_wrong_where_the_sums_are_right) {
  const std::string text = to_text(sample_manifest());
  const struct {
    std::string_view from, to, says;
  } cases[] = {
      {"sequence 7\n", "", "line 3: expected a line 'sequence"},
      {"sequence 7\n", "sequence 18446744073709551615\n", "a sequence below 2^62"},
      {"step 40\n", "step forty\n", "a number in 'step'"},
      {"step 40\n", "step 99999999999999999999\n", "a number in 'step'"},
      {"time 0.125\n", "time nan\n", "a number in 'time'"},
      {"time 0.125\n", "time 1e999\n", "a number in 'time'"},
      {"step 40\n", "step -1\n", "negative"},
      {"dimension 2\n", "dimension 3\n", "one entry an axis"},
      {"dimension 2\n", "dimension 400\n", "damaged: expected a dimension of 1, 2 or 3"},
      {"root_blocks 2 3\n", "root_blocks 2 0\n", "root_blocks"},
      {"periodic 1 0\n", "periodic 1 2\n", "periodic"},
      {"ratio 2\n", "ratio 3\n", "ratio"},
      {"ratio 2\n", "ratio 2 8\n", "a ratio of 2 or 4"},
      {"ratio 2\nmax_level 2\n", "ratio \nmax_level 0\n", "one ratio, or one for each level"},
      {"max_level 2\n", "max_level 63\n", "max_level in [0, 62]"},
      {"ratio 2\n", "ratio 2 4 2\n", "one ratio, or one for each level but the finest"},
      {"block_cells 8 12\n", "block_cells 8 2000000000\n", "block_cells"},
      {"block_cells 8 12\n", "block_cells 8\n", "one entry an axis"},
      {"blocks_per_level 6 12\n", "blocks_per_level 6 12 0\n", "blocks_per_level"},
      {"blocks_per_level 6 12\n", "blocks_per_level 6 12 1 1\n", "max_level + 1 levels"},
      {"totals_at_start 1 2.5\n", "totals_at_start 1\n", "one total a component"},
      {"blocks_per_file 5\n", "blocks_per_file 0\n", "blocks_per_file"},
      {"components rho E\n", "components rho  E\n", "names of components"},
      {"deck 18\n", "deck 15\n", "bytes of deck"},
      {"deck 18\n", "deck 18000000000\n", "bytes of deck"},
      {"step 40\n", "step 040\n", "not written as"},
      {"time 0.125\n", "time 0.1250\n", "not written as"},
      {"end = 0.5\n", "end = 0.5\n1234", "bytes of deck"},
  };
  for (const auto& c : cases) {
    const auto read = parse_manifest(resealed(replaced(text, c.from, c.to)));
    ASSERT_FALSE(read) << c.to;
    EXPECT_NE(read.error().message.find(c.says), std::string::npos) << read.error().message;
  }
  EXPECT_TRUE(parse_manifest(resealed(text)));
  EXPECT_TRUE(parse_manifest(resealed(replaced(text, "max_level 2\n", "max_level 62\n"))));
}

TEST(Manifest, has_one_ratio_as_ever_or_one_a_level) {
  Manifest manifest = sample_manifest();
  EXPECT_NE(to_text(manifest).find("\nratio 2\n"), std::string::npos);  // older ones are read
  manifest.ratio = {2, 4};
  const auto read = parse_manifest(to_text(manifest));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, manifest);
  EXPECT_NE(to_text(manifest).find("\nratio 2 4\n"), std::string::npos);
}

TEST(Manifest, may_have_totals_of_derived_fields_behind_those_of_components) {
  Manifest manifest = sample_manifest();
  manifest.totals_at_start.push_back(0.5);
  const auto read = parse_manifest(to_text(manifest));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, manifest);
}

TEST(Manifest, may_have_totals_that_are_not_finite) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Manifest manifest = sample_manifest();
  manifest.totals_at_start = {inf, -inf, nan, -nan};
  const auto read = parse_manifest(to_text(manifest));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_text(*read), to_text(manifest));
  ASSERT_EQ(read->totals_at_start.size(), 4u);
  EXPECT_EQ(read->totals_at_start[1], -inf);
  EXPECT_TRUE(std::isnan(read->totals_at_start[2]));
  manifest.upper = {1, inf};
  EXPECT_FALSE(parse_manifest(to_text(manifest)));
}

TEST(Manifest, of_another_version_is_named_and_not_called_damaged) {
  const auto read = parse_manifest(replaced(to_text(sample_manifest()), "point 1", "point 2"));
  ASSERT_FALSE(read);
  const auto& why = read.error().message;
  EXPECT_NE(why.find("version '2' (this program reads '1')"), std::string::npos) << why;
  EXPECT_EQ(why.find("damaged"), std::string::npos) << why;
}

TEST(Manifest, counts_blocks_and_bytes) {
  const Manifest m = sample_manifest();
  EXPECT_EQ(m.n_blocks(), 18u);
  EXPECT_EQ(m.block_bytes(), 2u * 8 * 8 * 12);
}

#ifdef THALWEG_CONTRACTS
TEST(Manifest, has_a_scheme_on_one_line) {
  Manifest manifest = sample_manifest();
  for (const char* scheme : {"", "euler\nvl2"}) {
    manifest.scheme = scheme;
    EXPECT_THROW(to_text(manifest), ContractViolation);
  }
}
#endif

TEST(Manifest, says_how_many_fields_are_on_faces_only_if_there_are_any) {
  Manifest manifest = sample_manifest();
  EXPECT_EQ(to_text(manifest).find("face_fields"), std::string::npos);
  manifest.components = {"bx", "by"};
  manifest.totals_at_start = {0, 0};
  manifest.dimension = 2;
  manifest.lower = manifest.upper = {0, 1};
  manifest.root_blocks = {2, 2};
  manifest.periodic = {1, 1};
  manifest.block_cells = {8, 4};
  EXPECT_EQ(manifest.block_bytes(), 2u * 32 * 8);
  manifest.face_fields = 1;
  EXPECT_EQ(manifest.block_bytes(), (2u * 32 + 9 * 4 + 8 * 5) * 8);

  const auto read = parse_manifest(to_text(manifest));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, manifest);
  manifest.face_fields = -1;
  EXPECT_FALSE(parse_manifest(to_text(manifest)));
}

}  // namespace
}  // namespace thalweg::io
