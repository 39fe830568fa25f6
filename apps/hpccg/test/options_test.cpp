// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/options.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/option_words.hpp>
#include <thalweg/hpccg/cost.hpp>
#include <thalweg/hpccg/solver/stencil.hpp>

#include "../../../tests/support/text.hpp"

namespace thalweg::hpccg {
namespace {

Options parse(const std::string& line, int n_ranks = 1, std::size_t memory_bytes = 0) {
  return parse_options(testing::words_of(line), n_ranks, memory_bytes);
}
std::string error(const std::string& line, int n_ranks = 1, std::size_t memory_bytes = 0) {
  return testing::error_of([&] { parse(line, n_ranks, memory_bytes); });
}

TEST(Options, are_the_references_by_default) {
  const Options o = parse("4 5 6", 3);
  EXPECT_EQ(o.n, (Index<3>{{4, 5, 6}}));
  EXPECT_EQ(o.ranks, (Index<3>{{1, 1, 3}}));
  EXPECT_EQ(o.settings().max_iterations, 149);
  EXPECT_EQ(o.settings().tolerance, 0);
  EXPECT_EQ(o.settings().sum_order, SumOrder::pieces);
}

TEST(Options, say_all_the_rest) {
  const Options o = parse(
      "4 5 6 --max_iter 20 --tolerance 1e-3 --format csr --method pipelined --sums exact --ranks "
      "2x3x1 --blocks 7 --model forkjoin --threads 2 --latency 50 --progress thread "
      "--ignore-priorities --digits 17 --hash "
      "--out there --trace events --force",
      6);
  EXPECT_EQ(o, (Options{.n = {{4, 5, 6}},
                        .ranks = {{2, 3, 1}},
                        .max_iter = 20,
                        .tolerance = 1e-3,
                        .format = Format::csr,
                        .method = Method::pipelined,
                        .sum_order = SumOrder::exact,
                        .blocks = 7,
                        .execution = {.model = flow::Model::forkjoin,
                                      .latency_us = 50,
                                      .executor = {.n_workers = 2,
                                                   .honours_priorities = false,
                                                   .progress = flow::Progress::thread}},
                        .digits = 17,
                        .fingerprint = true,
                        .out = "there",
                        .trace = "events",
                        .force = true}));
  EXPECT_EQ(o.settings().n_blocks, 7);
  EXPECT_TRUE(parse("1 1 1 --fingerprint").fingerprint) << "the other name of --hash";
  EXPECT_EQ(parse("1 1 1 --sums rows").sum_order, SumOrder::rows);
  EXPECT_EQ(parse("1 1 1 --threads 3").settings().n_blocks, 24);
  EXPECT_EQ(parse("1 1 1 --threads 3 --model bulk").settings().n_workers, 1U);
}

TEST(Options, that_are_wrong_are_told_with_what_to_do) {
  const auto expect = [](const std::string& line, std::vector<const char*> said, int n_ranks = 1,
                         std::size_t memory_bytes = 0) {
    const std::string text = error(line, n_ranks, memory_bytes);
    for (const char* s : said) EXPECT_NE(text.find(s), std::string::npos) << line << ": " << text;
  };
  expect("", {"nx", "--help"});
  expect("4 4", {"nz", "--help"});
  expect("4 4 4 4", {"4", "--help"});
  expect("4 x 4", {"ny", "--help"});
  expect("4 4 -1", {"nz -1", "1..1073741824"});
  expect("4 4 4 --formt csr", {"--formt", "--help"});
  expect("4 4 4 --format coo", {"--format coo", "csr, sell, free"});
  expect("4 4 4 --method fast", {"--method fast", "plain, pipelined"});
  expect("4 4 4 --method pipelined", {"--tolerance", "rounding"});
  expect("4 4 4 --sums any", {"--sums any", "exact"});
  expect("4 4 4 --model serial", {"--model serial", "dataflow"});
  expect("4 4 4 --ranks 2x2", {"--ranks 2x2", "1x1x3"}, 3);
  expect("4 4 4 --ranks 2x2x1", {"on 3 ranks", "product"}, 3);
  expect("4 4 4 --max_iter 0", {"--max_iter 0"});
  expect("4 4 4 --tolerance -1", {"--tolerance -1"});
  expect("4 4 4 --tolerance nan", {"--tolerance nan"});
  expect("4 4 4 --blocks -3", {"--blocks -3"});
  expect("4 4 4 --threads 0", {"--threads 0", "1024"});
  expect("4 4 4 --latency -2", {"--latency -2"});
  expect("4 4 4 --progress fast", {"--progress fast", "task_boundary"});
  expect("4 4 4 --digits 40", {"--digits 40", "17"});
  expect("2000 2000 2000", {"32 bits", "--format free"});
  expect("20000 20000 1 --format free", {"face across z", "3.2e+09 bytes", "fewer points"}, 2);
  EXPECT_EQ(error("20000 20000 1 --format free"), "");
  expect("1000000000 1000000000 1000000000 --format free", {"64 bits"}, 1000);
  expect("100 100 100 --format csr", {"0.3 GiB", "more ranks, or --format free"}, 1, 1 << 27);
  EXPECT_TRUE(error("200 200 200 --format free", 1, 1 << 27).ends_with("and more ranks"));
  EXPECT_EQ(error("100 100 100 --format free", 1, 1 << 27), "");
  // All that is wrong at once.
  expect("0 4 4 --threads 0 --format coo", {"nx 0", "--threads 0", "--format coo"});
}

TEST(Options, need_a_value_where_they_are_given_one) {
  for (const std::string option : {"--tolerance", "--blocks", "--ranks", "--trace", "--out"})
    EXPECT_NE(testing::error_of([&] {
                parse_options(std::vector<std::string>{"4", "4", "4", option, ""}, 1, 0);
              }).find(option + " '' (no value)"),
              std::string::npos)
        << option;
}

TEST(Options, help_names_them) {
  EXPECT_TRUE(app::asks_for_help(testing::words_of("4 4 4 --help")));
  EXPECT_FALSE(app::asks_for_help(testing::words_of("4 4 4")));
  for (const char* name : {"nx", "--max_iter", "--format", "--sums", "--blocks"})
    EXPECT_NE(option_help().find(name), std::string::npos) << name;
}

TEST(Cost, counts_what_a_format_moves) {
  const double free = bytes_of_iteration(parse("4 4 4 --format free"));
  EXPECT_EQ(free, 12 * 8);  // of nine vectors read, x included, and four written, one of them new
  const double lines = 2.5 * 2.5;  // around one of 4 x 4, on average
  EXPECT_EQ(bytes_of_iteration(parse("4 4 4 --format csr")), free + lines * 2.5 * 12 + 8);
  EXPECT_EQ(bytes_of_iteration(parse("4 4 4")), free + lines * 3 * (8 + 4 / 4.0) + 16 / 4.0);
  // Beside another rank all columns are stored.
  EXPECT_EQ(bytes_of_iteration(parse("4 4 4 --ranks 2x1x1", 2)),
            free + lines * 3 * (8 + 4) + 16 / 4.0);
  EXPECT_EQ(bytes_of_rank(parse("10 10 10 --format csr")), 1000 * (9 * 2.8 * 12 + 8 + 5 * 8));
}

TEST(Cost, counts_what_slices_store) {
  for (const int n : {7, 16, 18, 32, 50, 100}) {
    const SellStencil a(Grid({{n, 20, 20}}, {{1, 1, 1}}, Rank(0)));
    const auto stored = static_cast<double>(8 * a.n_stored() + 4 * a.n_stored_columns());
    constexpr int n_lines = 20 * 20;
    const int n_slices = (n + 31) / 32;
    const std::string size = std::to_string(n) + " 20 20";
    const double counted =
        bytes_of_iteration(parse(size)) - bytes_of_iteration(parse(size + " --format free"));
    // What is not counted: at each end of memory a slice in four lines, around which there are 4,
    // 6, 6 and 9 lines, stores all columns, as the vectors of a run would begin or end beyond it.
    const int first = std::min(n, 32);
    const int last = n - 32 * (n_slices - 1);
    const double scattered =
        4 * 3 * (4 + 6 + 6 + 9) * ((first + 3) / 4 * 4 + (last + 3) / 4 * 4 - 2);
    EXPECT_NEAR(counted * n * n_lines, stored + 16 * n_slices * n_lines - scattered, 1) << n;
  }
}

}  // namespace
}  // namespace thalweg::hpccg
