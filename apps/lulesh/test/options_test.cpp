// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/options.hpp>

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/option_words.hpp>

#include "../../../tests/support/text.hpp"

namespace thalweg::lulesh {
namespace {

Options parse(const std::string& line, int n_ranks = 1, std::size_t memory_bytes = 0) {
  return parse_options(testing::words_of(line), n_ranks, memory_bytes);
}
std::string error(const std::string& line, int n_ranks = 1, std::size_t memory_bytes = 0) {
  return testing::error_of([&] { parse(line, n_ranks, memory_bytes); });
}

TEST(LuleshOptions, are_the_references_by_default) {
  const Options o = parse("");
  EXPECT_EQ(o, Options{});
  EXPECT_EQ(o.settings.s, 30);
  EXPECT_EQ(o.settings.last_cycle, 9999999);
  EXPECT_EQ(o.settings.regions, (RegionSettings{.n_regions = 11, .balance = 1, .cost = 1}));
}

TEST(LuleshOptions, say_all_the_rest) {
  const Options o = parse(
      "-q -i 20 -s 12 -r 3 -b 2 -c 4 -p -v -f 3 --out o --tasks-element 12 --tasks-node 5 "
      "--element-work region "
      "--model forkjoin --threads 2 --depth 3 --latency 50 --progress thread "
      "--ignore-priorities "
      "--checkpoint a --checkpoint-every 5 --restart b --force --times --hash --trace t "
      "--trace-cycles 3 5",
      8);
  EXPECT_EQ(o, (Options{.settings = {.s = 12,
                                     .regions = {.n_regions = 3, .balance = 2, .cost = 4},
                                     .last_cycle = 20,
                                     .n_element_tasks = 12,
                                     .n_node_tasks = 5,
                                     .element_work = ElementWork::region},
                        .is_quiet = true,
                        .shows_progress = true,
                        .writes_vtk = true,
                        .n_files = 3,
                        .execution = {.model = flow::Model::forkjoin,
                                      .latency_us = 50,
                                      .executor = {.n_workers = 2,
                                                   .depth = 3,
                                                   .honours_priorities = false,
                                                   .progress = flow::Progress::thread}},
                        .out = "o",
                        .checkpoint = "a",
                        .checkpoint_interval = 5,
                        .restart = "b",
                        .force = true,
                        .trace = {"t", {3, 5}},
                        .prints_times = true,
                        .prints_hash = true}));
}

TEST(LuleshOptions, cut_loops_for_the_threads_unless_told) {
  EXPECT_EQ(parse("--threads 3").settings.n_element_tasks, 24);
  EXPECT_EQ(parse("--threads 3").settings.n_node_tasks, 24);
  EXPECT_EQ(parse("--threads 3 --model bulk").settings.n_element_tasks, 8);
  EXPECT_EQ(parse("--threads 3 --tasks-element 5").settings.n_node_tasks, 5);
}

TEST(LuleshOptions, have_the_references_number_of_files) {
  EXPECT_EQ(parse("-v").n_files, 1);
  EXPECT_EQ(parse("-v", 8).n_files, 2);
  EXPECT_EQ(parse("-v", 27).n_files, 4);
  EXPECT_NE(error("-v -f 9", 8).find("-f 9 (must be in 1..8, the number of ranks)"),
            std::string::npos);
  EXPECT_EQ(error("-f 9", 8), "") << "as nothing is written";
}

TEST(LuleshOptions, are_the_last_where_one_is_given_twice) {
  EXPECT_EQ(parse("-s 3 -i 5 -s 4").settings.s, 4);
  EXPECT_EQ(parse("-s 3 --trace t --trace-cycles 1 2 --trace-cycles 3 5").trace.steps.first, 3U);
}

TEST(LuleshOptions, of_a_folder_need_what_goes_there) {
  EXPECT_NE(error("--out there").find("--out there (VTK files go there"), std::string::npos);
  EXPECT_EQ(error("-v --out there"), "");
}

TEST(LuleshOptions, are_refused_all_at_once) {
  const std::string all = error(
      "-s 0 -r 0 -b -1 -c -2 -i -3 --element-work x --model y --threads 0 --depth 8 --latency -1 "
      "--progress fast --tasks-element 0 --tasks-node -4 --checkpoint-every 3 --trace-cycles 5 5",
      9);
  for (const char* part :
       {"-s 0 (must be in 1..800 elements)", "9 ranks (they must make a cube",
        "-r 0 (must be in 1..1000000 regions)", "-b -1 (must be in 0..64)", "-c -2 (must be in 0",
        "-i -3 (must be 0 or more)", "--element-work x (there is no such one)",
        "--model y (there is no such one)", "--threads 0 (must be in 1..1024)",
        "--depth 8 (must be in 1..7 cycles)", "--latency -1 (must be in 0",
        "--progress fast (there is no such one); give idle, task_boundary, thread",
        "--tasks-element 0 (must be in 1..1048576)", "--tasks-node -4 (must be in 1",
        "--checkpoint-every 3 (must be 0 or more, and needs a file",
        "--trace-cycles without --trace", "--trace-cycles 5 5 (it takes the first step"})
    EXPECT_NE(all.find(part), std::string::npos) << part << " in " << all;
}

TEST(LuleshOptions, are_refused_by_name) {
  EXPECT_NE(error("-z").find("-z"), std::string::npos);
  EXPECT_NE(error("-s 3x").find("-s"), std::string::npos);
  EXPECT_NE(error("-s").find("-s"), std::string::npos);
  EXPECT_NE(error("--trace t --trace-cycles -1 3").find("--trace-cycles"), std::string::npos);
  EXPECT_NE(error("-r 11 -b 9").find("-r 11 -b 9"), std::string::npos);
}

TEST(LuleshOptions, need_a_value_where_they_are_given_one) {
  for (const std::string option : {"-i", "-b", "--latency", "--restart", "--checkpoint", "--trace"})
    EXPECT_NE(testing::error_of([&] {
                parse_options(std::vector<std::string>{option, ""}, 1, 0);
              }).find(option + " '' (no value)"),
              std::string::npos)
        << option;
}

TEST(LuleshOptions, need_memory_that_is_there) {
  const auto enough = static_cast<std::size_t>(bytes_of_rank(60)) + 1;
  EXPECT_EQ(error("-s 60", 1, enough), "");
  EXPECT_NE(error("-s 61", 1, enough).find("-s 61 (needs 0.2 GiB per rank"), std::string::npos);
  EXPECT_EQ(error("-s 2000", 1, enough).find("GiB"), std::string::npos);
  EXPECT_EQ(error("-s 61", 1, 0), "");
}

TEST(LuleshOptions, have_a_help) {
  EXPECT_TRUE(app::asks_for_help(testing::words_of("-s 4 -h")));
  EXPECT_FALSE(app::asks_for_help(testing::words_of("-s 4")));
  for (const char* option :
       {"-q", "-i", "-s", "-r", "-b", "-c", "-p", "--tasks-element", "--hash", "254"})
    EXPECT_NE(option_help().find(option), std::string::npos) << option;
}

}  // namespace
}  // namespace thalweg::lulesh
