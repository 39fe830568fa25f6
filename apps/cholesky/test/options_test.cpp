// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/options.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/option_words.hpp>
#include <thalweg/cholesky/cost.hpp>

#include "../../../tests/support/text.hpp"

namespace thalweg::cholesky {
namespace {

Options parse(const std::string& line, int n_ranks = 1, std::size_t memory_bytes = 0) {
  return parse_options(testing::words_of(line), n_ranks, memory_bytes);
}
std::string error(const std::string& line, int n_ranks = 1, std::size_t memory_bytes = 0) {
  return testing::error_of([&] { parse(line, n_ranks, memory_bytes); });
}

TEST(Options, need_a_size_only) {
  const Options o = parse("--n 5000", 6);
  EXPECT_EQ(o, (Options{.n = 5000, .grid = {{2, 3}}, .bump = 5000}));
  EXPECT_EQ(parse("--n 9", 7).grid, (Index<2>{{1, 7}}));
  EXPECT_EQ(parse("--n 9", 16).grid, (Index<2>{{4, 4}}));
  EXPECT_EQ(o.layout().n_tiles(), 20);
}

TEST(Options, say_all_the_rest) {
  const Options o = parse(
      "--n 4 --tile 3 --grid 3x2 --uplo U --precision z --seed 18446744073709551615 --bump -2.5 "
      "--look-ahead 7 --broadcast tree --check --repeat 4 --model forkjoin --threads 2 --latency "
      "50 --progress task_boundary --ignore-priorities --hash --trace there --force",
      6);
  EXPECT_EQ(o, (Options{.n = 4,
                        .tile = 3,
                        .grid = {{3, 2}},
                        .uplo = Uplo::upper,
                        .precision = Precision::z,
                        .seed = ~std::uint64_t{0},
                        .bump = -2.5,
                        .look_ahead = 7,
                        .broadcast = Broadcast::tree,
                        .check = true,
                        .repeat = 4,
                        .execution = {.model = flow::Model::forkjoin,
                                      .latency_us = 50,
                                      .executor = {.n_workers = 2,
                                                   .honours_priorities = false,
                                                   .progress = flow::Progress::task_boundary}},
                        .fingerprint = true,
                        .trace = "there",
                        .force = true}));
  EXPECT_EQ(o.settings(), (FactorisationSettings{.broadcast = Broadcast::tree,
                                                 .look_ahead = 7,
                                                 .model = flow::Model::forkjoin,
                                                 .n_workers = 2}));
  EXPECT_EQ(parse("--n 1 --threads 3 --model bulk").execution.executor.n_workers, 1U);
  EXPECT_EQ(parse("--n 1 --bump 0").bump, 0);
  EXPECT_TRUE(parse("--n 1 --fingerprint").fingerprint) << "the other name of --hash";
}

TEST(Options, that_are_wrong_are_told_with_what_to_do) {
  const auto expect = [](const std::string& line, std::vector<const char*> said, int n_ranks = 1,
                         std::size_t memory_bytes = 0) {
    const std::string text = error(line, n_ranks, memory_bytes);
    for (const char* s : said) EXPECT_NE(text.find(s), std::string::npos) << line << ": " << text;
  };
  expect("", {"--n", "--help"});
  expect("--n x", {"--n", "--help"});
  expect("--n 4 --tle 3", {"--tle", "--help"});
  expect("--n -1", {"--n -1", "0..1099511627776"});
  expect("--n 99999999999999", {"--n 99999999999999"});
  expect("--n 4294967296 --tile 4", {"--n 4294967296 with --tile 4", "1048576 tile rows"});
  expect("--n 4 --tile 0", {"--tile 0", "1..8192"});
  expect("--n 4 --tile 4294967297", {"--tile 4294967297"});
  expect("--n 4 --grid 2", {"--grid 2 ", "write 1x3"}, 3);
  expect("--n 4 --grid 2x2", {"on 3 ranks", "product"}, 3);
  expect("--n 4 --grid 2147483647x2147483647", {"on 1 ranks"});
  expect("--n 4 --uplo l", {"--uplo l", "L, U"});
  expect("--n 4 --precision q", {"--precision q", "s, d, c, z"});
  expect("--n 4 --bump nan", {"--bump nan", "must be in"});
  expect("--n 4 --precision s --bump 1e39", {"--bump 1e+39", "--precision s"});
  expect("--n 4 --look-ahead -1", {"--look-ahead -1", "0.."});
  expect("--n 4 --broadcast ring", {"--broadcast ring", "p2p, tree"});
  expect("--n 4 --repeat 0", {"--repeat 0"});
  expect("--n 4 --model serial", {"--model serial", "dataflow"});
  expect("--n 4 --threads 0", {"--threads 0", "1024"});
  expect("--n 4 --latency -2", {"--latency -2"});
  expect("--n 4 --seed -1", {"--seed", "-1", "at least 0"});
  expect("--n 4 --progress fast", {"--progress fast", "task_boundary"});
  expect("--n 4 --latency nan", {"--latency nan"});
  // Entries beyond 2^31, and beyond memory.
  EXPECT_EQ(parse("--n 65536 --tile 512").layout().n, 65536);
  expect("--n 65536 --tile 512", {"16.", "GiB", "larger tiles"}, 1, std::size_t{1} << 32);
  EXPECT_EQ(error("--n 65536 --tile 512", 16, std::size_t{1} << 32), "");
  expect("--n 100000 --tile 8", {"GiB"}, 1, std::size_t{1} << 38);  // the graph alone
  // All that is wrong at once.
  expect("--n -1 --threads 0 --uplo X", {"--n -1", "--threads 0", "--uplo X"});
}

TEST(Options, need_a_value_where_they_are_given_one) {
  const std::vector<std::string> words{"--n", ""};
  EXPECT_NE(testing::error_of([&] { parse_options(words, 1, 0); }).find("--n '' (no value)"),
            std::string::npos);
}

TEST(Options, help_names_them) {
  EXPECT_TRUE(app::asks_for_help(testing::words_of("--n 4 --help")));
  EXPECT_FALSE(app::asks_for_help(testing::words_of("--n 4")));
  for (const char* name : {"--n", "--tile", "--look-ahead", "--broadcast", "--trace"})
    EXPECT_NE(option_help().find(name), std::string::npos) << name;
}

TEST(Cost, counts_operations_and_bytes) {
  EXPECT_EQ(flops(parse("--n 1")), 1);
  EXPECT_DOUBLE_EQ(flops(parse("--n 6")), 72 + 18 + 1);
  // Of products a half and a sixth each.
  EXPECT_DOUBLE_EQ(flops(parse("--n 6 --precision z")), 6 * (36 + 18 + 2) + 2 * (36 - 1));
  EXPECT_EQ(bytes_of_element(Precision::s) * 4, bytes_of_element(Precision::z));
  const double one = bytes_of_rank(parse("--n 4096"));
  EXPECT_GT(one, 4096.0 * 4096 / 2 * 8);
  EXPECT_LT(one, 1.2 * 4096.0 * 4096 / 2 * 8);
  EXPECT_GT(bytes_of_rank(parse("--n 4096 --check")), 1.9 * one);
  EXPECT_LT(bytes_of_rank(parse("--n 4096", 4)), 0.7 * one);
}

}  // namespace
}  // namespace thalweg::cholesky
