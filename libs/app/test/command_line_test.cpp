// SPDX-License-Identifier: MIT
#include <thalweg/app/command_line.hpp>

#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/app/execution_options.hpp>
#include <thalweg/app/executor_config.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/io/file_system.hpp>

#include "../../../tests/support/text.hpp"
#include "../../io/test/sample_plot.hpp"
#include "call_program.hpp"
#include "stream.hpp"

namespace thalweg::app {
namespace {

/// Each rank works and tells the next one.
flow::Graph ring_step(const Context& context) {
  const auto n = static_cast<std::uint32_t>(context.transport.n_ranks());
  const std::uint32_t r = context.transport.rank()();
  flow::Recorder g(context.transport.rank(), context.transport.n_ranks());
  const auto own = g.data<double>("own", 1), other = g.data<double>("other", 1);
  g.task("turn", flow::uses(flow::inout(own)), [](std::span<double> x) { x[0] += 1; });
  g.phase("tell", flow::PhaseKind::step);
  g.recv(flow::out(other), Rank((r + n - 1) % n));
  g.send(flow::in(own), Rank((r + 1) % n));
  return flow::capture(std::move(g), context.execution.model);
}

int n_rings_timed = 0;

VirtualProgram ring(const std::vector<std::string>& words, int n_ranks) {
  if (words.empty() || words[0] != "-1.5")
    throw Error(fmt::format("'{}' (no ring); give -1.5", joined_text(words, " ")));
  const bool is_bulk = std::ranges::count(words, "bulk") > 0;
  Execution execution{.model = is_bulk ? flow::Model::bulk : flow::Model::phase};
  set_threads(execution, words.back() == "2" ? 2 : 1);
  return {
      .n_ranks = n_ranks,
      .execution = execution,
      .size = static_cast<double>(n_ranks),
      .look_at_step = [](const Context& c, const OnGraph& look) { look(ring_step(c), 5 << 20); },
      .n_ranks_timed = 3,
      .run_steps =
          [](const Context& context, std::int64_t n_steps) {
            auto graph = ring_step(context);
            n_rings_timed += context.transport.rank() == Rank(0) ? 1 : 0;
            flow::Executor executor(executor_config(context, 0, context.execution.executor.sink),
                                    context.transport, context.clock);
            if (!executor.run(graph, static_cast<std::uint64_t>(n_steps), 1))
              throw std::runtime_error("no steps");
          }};
}

Program program() {
  return {.name = "waves",
          .doc = "Carries things.",
          .version = "1.2.3",
          .applications = testing::applications(),
          .commands = {{"count", "Count the words behind.",
                        [](const std::vector<std::string>& words) {
                          std::printf("%zu words\n", words.size());
                          return 42;
                        }},
                       {"ring", "Turn.", [](const auto&) { return 0; }, ring}},
          .examples = "Examples:\n  waves run spot.toml"};
}

testing::Ended call(const std::vector<std::string>& words) {
  return testing::call_program(program(), words);
}

using thalweg::testing::has;

constexpr const char* small_spot = R"([problem]
name = "spot"
width = 0.1
[mesh]
dim = 2
root_blocks = [4, 4]
block_cells = 8
[boundary]
lower = ["periodic", "periodic"]
upper = ["periodic", "periodic"]
[time]
end = 1.0
)";

TEST(CommandLine, is_the_programs_own_in_name_version_and_commands) {
  const auto version = call({"--version"});
  EXPECT_EQ(version.code, exit_success);
  EXPECT_TRUE(has(version.output, "waves 1.2.3")) << version.output;
  const auto help = call({"--help"});
  EXPECT_EQ(help.code, exit_success);
  for (const char* part :
       {"Carries things.", "run", "Count the words behind.", "waves run spot.toml", "Exit codes"})
    EXPECT_TRUE(has(help.output, part)) << help.output;
  const auto count = call({"count", "--these", "three", "-w"});
  EXPECT_EQ(count.code, 42);
  EXPECT_EQ(count.output, "3 words\n");
}

TEST(CommandLine, shows_in_help_that_lists_have_commas) {
  const auto of_line = call({"line", "--help"}).output;
  EXPECT_TRUE(has(of_line, "--variables NAME,... ")) << of_line;
  EXPECT_TRUE(has(of_line, "--at PLACE,... ")) << of_line;
  const auto of_profile = call({"profile", "--help"}).output;
  EXPECT_TRUE(has(of_profile, "--centre PLACE,... REQUIRED")) << of_profile;
  const auto of_tune = call({"tune", "--help"}).output;
  EXPECT_TRUE(has(of_tune, "--block-cells N,... ")) << of_tune;
  for (const auto& help : {of_line, of_profile, of_tune})
    EXPECT_FALSE(has(help, ",... ...")) << help;
}

TEST(CommandLine, of_nothing_or_of_no_command_is_a_bad_request) {
  const auto unknown = call({"swim"});
  EXPECT_EQ(unknown.code, exit_bad_request);
  EXPECT_TRUE(has(unknown.errors, "unknown command 'swim'")) << unknown.errors;
  EXPECT_TRUE(has(unknown.errors, "waves --help")) << unknown.errors;
  const auto nothing = call({});
  EXPECT_EQ(nothing.code, exit_bad_request);
  EXPECT_TRUE(has(nothing.errors, "no command")) << nothing.errors;
  EXPECT_EQ(call({"diff", "one"}).code, exit_bad_request);
}

TEST(Params, list_applications_and_problems_and_the_keys_that_are_asked_for) {
  const auto all = call({"params"});
  EXPECT_EQ(all.code, exit_success);
  for (const char* part : {"What a wind carries.", "Another one.", "A dense spot.", "problem.width",
                           "problem.slope", "stream.wind", "mesh.dim"})
    EXPECT_TRUE(has(all.output, part)) << part;
  EXPECT_FALSE(has(all.output, "other.depth"));
  const auto plane = call({"params", "stream", "plane"});
  EXPECT_TRUE(has(plane.output, "problem.slope"));
  EXPECT_FALSE(has(plane.output, "problem.width"));
  EXPECT_TRUE(has(call({"params", "other"}).output, "other.depth"));
}

TEST(Params, of_a_key_are_its_declaration) {
  const auto shared = call({"params", "mesh.dim"});
  EXPECT_EQ(shared.code, exit_success) << shared.errors;
  EXPECT_TRUE(has(shared.output, "# stream, other\n") && has(shared.output, "mesh.dim"))
      << shared.output;
  EXPECT_FALSE(has(shared.output, "mesh.upper"));
  const auto of_problem = call({"params", "problem.width"});
  EXPECT_TRUE(has(of_problem.output, "# stream spot\n")) << of_problem.output;
  const auto unknown = call({"params", "mesh.dimension"});
  EXPECT_EQ(unknown.code, exit_bad_request);
  EXPECT_TRUE(has(unknown.errors, "no key 'mesh.dimension'")) << unknown.errors;
}

TEST(Params, of_what_there_is_not_name_what_there_is) {
  const auto application = call({"params", "river"});
  EXPECT_EQ(application.code, exit_bad_request);
  EXPECT_TRUE(has(application.errors, "unknown application 'river'") &&
              has(application.errors, "other"))
      << application.errors;
  const auto problem = call({"params", "stream", "dune"});
  EXPECT_EQ(problem.code, exit_bad_request);
  EXPECT_TRUE(has(problem.errors, "unknown problem 'dune'") && has(problem.errors, "plane"))
      << problem.errors;
}

TEST(Graph, of_a_deck_of_ones_own_is_written_for_a_rank) {
  const std::string path =
      ::testing::TempDir() + "command_line_stream_" + std::to_string(::getpid()) + ".toml";
  std::ofstream(path)
      << "problem.name = \"spot\"\nmesh.dim = 2\nmesh.root_blocks = [2, 2]\nmesh.block_cells = 8\n";
  const auto graph = call({"graph", path, "--ranks", "2", "--rank", "1"});
  EXPECT_EQ(graph.code, exit_success) << graph.errors;
  EXPECT_TRUE(has(graph.output, "digraph")) << graph.output;
  const auto refused = call({"graph", path, "problem.slope=2", "--ranks", "2"});
  EXPECT_EQ(refused.code, exit_bad_request);
  EXPECT_TRUE(has(refused.errors, "only problem.name = \"plane\" has it")) << refused.errors;
  std::filesystem::remove(path);
}

TEST(Line, is_along_the_axes_as_the_application_of_a_plotfile_calls_them) {
  const std::string path = ::testing::TempDir() + "command_line_axes_" + std::to_string(::getpid());
  io::PosixFileSystem files;
  auto plot = io::sample_description<2>();
  plot.deck = "application.name = \"stream\"\n";
  ASSERT_TRUE(io::write_sample(files, path, plot, 1));
  Program with_axes = program();
  with_axes.applications[0].axes = "rv";
  const std::vector<std::string> words{"line", path, "--axis", "v"};
  const auto line = testing::call_program(with_axes, words);
  EXPECT_EQ(line.code, exit_success) << line.errors;
  EXPECT_TRUE(line.output.starts_with("v,width,level,density")) << line.output;
  const auto refused = call(words);
  EXPECT_EQ(refused.code, exit_bad_request);
  EXPECT_TRUE(has(refused.errors, "has x, y")) << refused.errors;
  std::filesystem::remove_all(path);
}

TEST(CommandLine, predicts_steps_on_a_machine_and_refuses_what_cannot_be_meant) {
  const std::string folder =
      ::testing::TempDir() + "command_line_predict_" + std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  const std::string deck = folder + "/spot.toml", machine = folder + "/m.toml";
  std::ofstream(deck) << small_spot;
  std::ofstream(machine) << "[network]\nlatency_us = 5\n";
  const auto predict = [&](const std::vector<std::string>& more, const std::string& on,
                           const std::string& n_steps) {
    std::vector<std::string> words{"predict", deck, "--machine", on, "--steps", n_steps};
    words.insert(words.end(), more.begin(), more.end());
    return call(words);
  };
  const std::string json = folder + "/p.json";
  const auto done = predict({"--sweep", "P=1:4:2", "--model", "bulk,dataflow", "--what-if",
                             "latency=0x", "-o", json, "--force"},
                            machine, "2");
  ASSERT_EQ(done.code, exit_success) << done.errors;
  for (const char* line : {"      1       1      bulk", "      4       1  dataflow",
                           "4 ranks, 1 thread, bulk: with latency=0x"})
    EXPECT_TRUE(has(done.output, line)) << done.output;
  EXPECT_GT(std::filesystem::file_size(json), 1000u);
  for (const auto& [words, complaint] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--ranks", "0"}, "--ranks 0"},
           {{"--sweep", "P=4:1"}, "--sweep P=4:1"},
           {{"--sweep", "1:4"}, "--sweep 1:4"},
           {{"--sweep", "P=1:4:1"}, "--sweep P=1:4:1"},
           {{"--sweep", "P=1:4:"}, "--sweep P=1:4: (it reads"},
           {{"--sweep", "P=1:4:2:"}, "--sweep P=1:4:2: (it reads"},
           {{"--what-if", "speed=2x"}, "--what-if speed=2x"},
           {{"-o", json}, "p.json"},
           {{"--trace", deck}, "spot.toml"},
           {{"--times", folder + "/none.toml"}, "--times names a file of task times"},
           {{"--times", machine}, "tasks.names"},
           {{"--save-times", json}, "p.json"},
           {{"--model", "fast"}, "run.model"}}) {
    const auto refused = predict(words, machine, "2");
    EXPECT_EQ(refused.code, exit_bad_request) << complaint;
    EXPECT_TRUE(has(refused.errors, complaint)) << refused.errors;
  }
  const std::string times = folder + "/t.toml";
  const auto measured = predict({"--ranks", "3", "--save-times", times}, machine, "2");
  ASSERT_EQ(measured.code, exit_success) << measured.errors;
  const auto again = predict({"--ranks", "3", "--times", times}, machine, "2");
  EXPECT_EQ(again.errors, "");
  EXPECT_EQ(again.output, measured.output);
  // Several machines from one capture: the same as one after the other.
  const std::string other = folder + "/slow.toml";
  std::ofstream(other) << "[machine]\nname = \"slow\"\n[network]\nlatency_us = 500\n";
  const auto alone = predict({"--ranks", "3", "--times", times}, other, "2");
  EXPECT_NE(alone.output, again.output);
  const auto both = predict({"--ranks", "3", "--times", times, "--machine", other}, machine, "2");
  EXPECT_EQ(both.output,
            "m (" + machine + "):\n" + again.output + "slow (" + other + "):\n" + alone.output)
      << both.errors;
  EXPECT_TRUE(has(predict({}, machine, "1").errors, "--steps 1"));
  EXPECT_TRUE(has(predict({}, folder + "/none.toml", "2").errors, "none.toml"));
  std::filesystem::remove_all(folder);
}

TEST(CommandLine, proposes_how_to_run_a_deck_on_a_machine) {
  const std::string folder =
      ::testing::TempDir() + "command_line_tune_" + std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  const std::string deck = folder + "/spot.toml", machine = folder + "/m.toml";
  std::ofstream(deck) << small_spot;
  const auto tune = [&](const std::string& description, const std::vector<std::string>& more) {
    std::ofstream(machine) << description;
    std::vector<std::string> words{"tune", deck, "--machine", machine, "--steps", "2"};
    words.insert(words.end(), more.begin(), more.end());
    return call(words);
  };
  // Any message takes longer than all tasks together.
  const auto one_rank =
      tune("[network]\nlatency_us = 1e6\n", {"--cores", "4", "--block-cells", "8,16,8,32,16"});
  ASSERT_EQ(one_rank.code, exit_success) << one_rank.errors;
  EXPECT_TRUE(has(one_rank.errors, "these layouts are on 1 to 4 nodes")) << one_rank.errors;
  EXPECT_TRUE(
      has(one_rank.output, "proposed: mpirun -n 1 waves run " + deck + " mesh.block_cells="))
      << one_rank.output;
  EXPECT_TRUE(has(one_rank.output, "--threads 4\n")) << one_rank.output;
  // 3 sizes of blocks, each once: on 4 and 2 ranks with three kinds of messages each, on 1 without
  // any. Around them a heading, what the messages are and the proposal.
  EXPECT_EQ(std::ranges::count(one_rank.output, '\n'), 3 * 7 + 3) << one_rank.output;

  // A task costs far more than what it does, so the fewest tasks win: the largest blocks.
  const auto few_tasks = tune("[tasks]\noverhead_ns = 1e8\n", {"--cores", "1"});
  ASSERT_EQ(few_tasks.code, exit_success) << few_tasks.errors;
  EXPECT_TRUE(has(few_tasks.output, "run " + deck +
                                        " mesh.block_cells=16 'mesh.root_blocks=[2,2]' "
                                        "exchange.max_comm_tasks=1 --threads 1\n"))
      << few_tasks.output;
  EXPECT_TRUE(has(few_tasks.output, "\n           8 ")) << few_tasks.output;
  EXPECT_EQ(few_tasks.errors, "") << "blocks of 4 cells, which no deck may have";

  const auto one_of_two = tune("", {"--cores", "1", "--block-cells", "5,32", "--model", "bulk"});
  EXPECT_EQ(one_of_two.code, exit_success);
  EXPECT_TRUE(has(one_of_two.errors, "not tried: mesh.block_cells=5")) << one_of_two.errors;
  // With a mesh that changes, it says how often, too: twice and half as often as the deck does,
  // with as many cells of buffer a step.
  const auto regrids = tune("[tasks]\ntime_factor = 1e6\n",
                            {"mesh.max_level=1", "regrid.interval=2", "regrid.buffer=2", "--cores",
                             "1", "--block-cells", "8"});
  ASSERT_EQ(regrids.code, exit_success) << regrids.errors;
  EXPECT_EQ(regrids.errors, "");
  EXPECT_EQ(std::ranges::count(regrids.output, '\n'), 4 + 4 + 1) << regrids.output;
  for (const char* row :
       {"\n              1       1 ", "\n              2       2 ", "\n              4       4 "})
    EXPECT_TRUE(has(regrids.output, row)) << regrids.output;
  EXPECT_TRUE(has(regrids.output, " regrid.interval=")) << regrids.output;
  for (const char* never : {"regrid.interval=0", "mesh.max_level=0"}) {
    const auto fixed = tune("", {never, "--cores", "1", "--block-cells", "8"});
    EXPECT_EQ(fixed.code, exit_success) << fixed.errors;
    EXPECT_FALSE(has(fixed.output, "regrid interval")) << fixed.output;
  }
  for (const auto& [words, complaint] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--cores", "0"}, "--cores 0"},
           {{"--cores", "2", "--block-cells", "0"}, "--block-cells 0"},
           {{"--cores", "2", "--messages", "-1"}, "--messages -1"},
           {{"--cores", "2", "--block-cells", "5"}, "no layout could be tried"},
           {{"--cores", "2", "--model", "fast"}, "run.model"},
           {{"mesh.block_cells=[8,16]", "--cores", "2"}, "mesh.block_cells = [8, 16]"}}) {
    const auto refused = tune("", words);
    EXPECT_EQ(refused.code, exit_bad_request) << complaint;
    EXPECT_TRUE(has(refused.errors, complaint)) << refused.errors;
  }
  const auto one_step = call({"tune", deck, "--machine", machine, "--cores", "2", "--steps", "1"});
  EXPECT_EQ(one_step.code, exit_bad_request);
  EXPECT_TRUE(has(one_step.errors, "--steps 1")) << one_step.errors;
  std::filesystem::remove_all(folder);
}

TEST(CommandLine, is_not_ended_by_a_request_that_comes_before_a_run) {
  const auto before = ::signal(SIGUSR2, SIG_DFL);
  call({"--version"});
  EXPECT_NE(::signal(SIGUSR2, before), SIG_DFL);
}

TEST(CommandLine, predicts_commands_with_their_own_words) {
  const std::string machine =
      ::testing::TempDir() + "command_line_ring_" + std::to_string(::getpid()) + ".toml";
  std::ofstream(machine) << "[network]\nlatency_us = 1000\n";
  const std::vector<std::string> own{"predict", "--machine", machine, "--steps", "2"};
  const auto predict = [&](const std::vector<std::string>& more) {
    auto words = own;
    words.insert(words.end(), more.begin(), more.end());
    return call(words);
  };
  const auto done =
      predict({"--sweep", "P=2:4:2", "--what-if", "latency=0x", "--model", "bulk", "ring", "-1.5"});
  ASSERT_EQ(done.code, exit_success) << done.errors;
  EXPECT_EQ(done.errors, "");
  for (const char* part : {"      2       1      bulk", "      4       1      bulk", "latency=0x"})
    EXPECT_TRUE(has(done.output, part)) << done.output;
  // A message of a millisecond, whatever the ranks: as large a problem as ranks takes no longer.
  EXPECT_TRUE(has(done.output, "        2  1.000")) << done.output;
  EXPECT_TRUE(has(done.output, "        5      4\n")) << done.output;  // MiB a rank, nodes
  EXPECT_TRUE(has(predict({"ring", "-1.5", "--sweep"}).output, "     phase"));
  // A program may cut its work by threads: times are those of as many as each model has.
  n_rings_timed = 0;
  for (const char* models : {"phase,dataflow", "bulk,phase,dataflow"})
    ASSERT_EQ(predict({"--model", models, "--threads", "2", "ring", "-1.5"}).code, exit_success);
  EXPECT_EQ(n_rings_timed, 1 + 2);
  for (const auto& [words, complaint] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"ring", "--out", "-x"}, "'--out -x' (no ring)"},
           {{"--threads", "2", "ring", "-1.5", "--threads", "2"}, "--threads before ring and"},
           {{}, "nothing to predict (there is no deck); give one, or one of ring"},
           {{"spot.toml", "ring", "-1.5"}, "'spot.toml' and ring"}}) {
    const auto refused = predict(words);
    EXPECT_EQ(refused.code, exit_bad_request) << complaint;
    EXPECT_TRUE(has(refused.errors, complaint)) << refused.errors;
  }
  std::filesystem::remove(machine);
}

}  // namespace
}  // namespace thalweg::app
