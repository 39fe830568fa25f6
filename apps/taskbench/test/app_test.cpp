// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/app.hpp>

#include <gtest/gtest.h>

#include <sstream>

#include <thalweg/core/error.hpp>

namespace thalweg::taskbench {
namespace {

App app(const std::string& line) {
  std::istringstream words("program " + line);
  std::vector<std::string> arguments{std::istream_iterator<std::string>(words), {}};
  std::vector<char*> pointers;
  for (std::string& a : arguments) pointers.push_back(a.data());
  return App(static_cast<int>(pointers.size()), pointers.data());
}

std::string error(const std::string& line) {
  try {
    app(line);
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

TEST(App, reads_all_options) {
  const App a = app(
      "-steps 10 -width 6 -type random_nearest -radix 5 -period 2 -fraction 0.5 -kernel "
      "load_imbalance -iter 7 -output 32 -scratch 64 -sample 4 -imbalance 1.5 -field 3 -nodes 2 "
      "-vv");
  ASSERT_EQ(a.graphs.size(), 1u);
  const TaskGraph& g = a.graphs[0];
  EXPECT_EQ(g.timesteps, 10);
  EXPECT_EQ(g.max_width, 6);
  EXPECT_EQ(g.dependence, Dependence::random_nearest);
  EXPECT_EQ(g.radix, 5);
  EXPECT_EQ(g.period, 2);
  EXPECT_EQ(g.fraction_connected, 0.5);
  EXPECT_EQ(g.kernel.type, KernelType::load_imbalance);
  EXPECT_EQ(g.kernel.iterations, 7);
  EXPECT_EQ(g.output_bytes_per_task, 32u);
  EXPECT_EQ(g.scratch_bytes_per_task, 64u);
  EXPECT_EQ(g.kernel.samples, 4);
  EXPECT_EQ(g.kernel.imbalance, 1.5);
  EXPECT_EQ(g.nb_fields, 3);
  EXPECT_EQ(a.nodes, 2);
  EXPECT_EQ(a.verbose, 2);
}

TEST(App, and_begins_a_graph_with_defaults) {
  const App a = app("-steps 9 -width 9 -type spread -and -width 7");
  ASSERT_EQ(a.graphs.size(), 2u);
  EXPECT_EQ(a.graphs[0].period, 3);
  EXPECT_EQ(a.graphs[0].nb_fields, 9);
  EXPECT_EQ(a.graphs[1].graph_index, 1);
  EXPECT_EQ(a.graphs[1].timesteps, 4);
  EXPECT_EQ(a.graphs[1].max_width, 7);
  EXPECT_EQ(a.graphs[1].period, 0);
}

TEST(App, complains_with_option_value_and_what_is_allowed) {
  const auto expect = [](const std::string& line, std::initializer_list<const char*> data) {
    const std::string text = error(line);
    for (const char* d : data) EXPECT_NE(text.find(d), std::string::npos) << line << ": " << text;
  };
  expect("-tipe tree", {"unknown option '-tipe'"});
  expect("-type oak", {"-type oak", "random_nearest"});
  expect("-kernel sleep", {"-kernel sleep", "busy_wait"});
  expect("-width", {"-width has no value"});
  expect("-width 0", {"-width 0", "1 to 1073741824"});
  expect("-steps ten", {"-steps ten", "number", "at least 1"});
  expect("-steps 3x", {"-steps 3x"});
  expect("-fraction 1.5", {"-fraction 1.5", "0 to 1"});
  expect("-output 8", {"-output 8", "16"});
  expect("-type stencil_1d -field 1", {"-field 1", "at least 2"});
  expect("-type spread -radix 9", {"-radix 9", "1 to the width, 4"});
  expect("-type tree -period 2", {"-period 2", "tree"});
  EXPECT_EQ(error("-type dom"), "");
}

TEST(App, report_counts_tasks_dependencies_flops_and_transfers) {
  // stencil_1d of width 4 has 10 dependencies a step, of which 2 cross the middle.
  const App a = app("-steps 3 -type stencil_1d -kernel compute_bound -iter 2 -nodes 2 -output 32");
  const Totals totals = a.totals();
  EXPECT_EQ(totals.tasks, 12);
  EXPECT_EQ(totals.dependencies, 20);
  EXPECT_EQ(totals.local_dependencies, 16);
  EXPECT_EQ(totals.flops, 12 * 320);
  EXPECT_EQ(totals.bytes, 0);
  EXPECT_EQ(totals.local_transfer, 16 * 32);
  EXPECT_EQ(totals.nonlocal_transfer, 4 * 32);

  const std::string text = a.description() + a.report(0.5);
  for (const char* line : {"Time Steps: 3\n", "Max Width: 4\n", "Iterations: 2\n",
                           "Output Bytes: 32\n", "\nTotal Tasks 12\n", "\nTotal FLOPs 3840\n",
                           "\nTotal Bytes 0\n", "\nElapsed Time 5.000000e-01 seconds\n",
                           "\nFLOP/s 7.680000e+03\n", "Nonlocal Dependencies 4 (estimated)\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "in\n" << text;
}

TEST(App, says_where_transfers_are_not_estimated) {
  const std::string text = app("-type stencil_1d").report(0.5);
  EXPECT_NE(text.find("\n  Unable to estimate local/nonlocal dependencies\nTotal FLOPs"),
            std::string::npos)
      << text;
  EXPECT_TRUE(
      text.ends_with("\nTransfer (estimated):\n  Unable to estimate local/nonlocal transfer\n"))
      << text;
}

TEST(App, takes_the_option_that_skips_the_references_checks_of_graphs) {
  EXPECT_EQ(app("-steps 3 -skip-graph-validation -width 2").graphs[0].max_width, 2);
}

TEST(App, verbose_description_lists_dependencies_of_active_points) {
  const std::string text = app("-steps 3 -type tree -vv").description();
  EXPECT_NE(text.find("Timestep 1 (offset 0, width 2, last offset 0, last width 1):\n"
                      "        Points: 0 1\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Point 3: 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Point 1: 2 3\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace thalweg::taskbench
