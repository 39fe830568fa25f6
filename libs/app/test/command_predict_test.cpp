// SPDX-License-Identifier: MIT
// What `predict` and `tune` say of regrids, of times of tasks and of words that are wrong.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <thalweg/app/command_line.hpp>
#include <thalweg/app/executor_config.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/recorder.hpp>

#include "../../../tests/support/text.hpp"
#include "call_program.hpp"
#include "stream.hpp"

namespace thalweg::app {
namespace {

using thalweg::testing::has;
using Words = std::vector<std::string>;

/// A task on each rank, and one more where there are fewer than three.
flow::Graph few_step(const Context& context) {
  flow::Recorder g(context.transport.rank(), context.transport.n_ranks());
  const auto own = g.data<double>("own", 1);
  g.task("turn", flow::uses(flow::inout(own)), [](std::span<double> x) { x[0] += 1; });
  if (context.transport.n_ranks() < 3)
    g.task("turn alone", flow::uses(flow::inout(own)), [](std::span<double> x) { x[0] += 1; });
  return flow::capture(std::move(g), flow::Model::phase);
}

VirtualProgram few(const Words& words, int n_ranks) {
  if (!words.empty() && words[0] == "--grid")
    throw Error("--grid (the product must be the number of ranks); start as many ranks");
  for (const auto& word : words)
    if (word.starts_with("--m")) throw Error(fmt::format("{} was not expected", word));
  const auto has_word = [&](const char* word) { return std::ranges::count(words, word) > 0; };
  return {.n_ranks = n_ranks,
          .execution = {.model = flow::Model::phase,
                        .executor = {.progress = has_word("poller") ? flow::Progress::thread
                                                                    : flow::Progress::idle}},
          .look_at_step =
              [](const Context& c, const OnGraph& look) {
                look(few_step(c), (1 + c.transport.rank()()) * 1048576.0);
              },
          .n_ranks_timed = n_ranks < 3 ? 2 : 3,
          .bytes_of_rank_timed = has_word("vast") ? 0x1p60 : 0,
          .is_one_step = has_word("once"),
          .run_steps =
              [](const Context& context, std::int64_t n_steps) {
                auto graph = few_step(context);
                flow::Executor executor(
                    executor_config(context, 0, context.execution.executor.sink), context.transport,
                    context.clock);
                if (!executor.run(graph, static_cast<std::uint64_t>(n_steps), 1))
                  throw std::runtime_error("no steps");
              }};
}

constexpr const char* regridding_spot = R"([problem]
name = "spot"
width = 0.1
[mesh]
dim = 2
root_blocks = [4, 4]
block_cells = 8
max_level = 1
[regrid]
interval = 2
buffer = 2
[boundary]
lower = ["periodic", "periodic"]
upper = ["periodic", "periodic"]
[time]
end = 1.0
)";

/// A folder with a deck and a machine, in which commands are called.
class PredictCommand : public ::testing::Test {
 protected:
  PredictCommand() {
    std::filesystem::create_directories(folder_);
    std::ofstream(deck_) << regridding_spot;
    std::ofstream(machine_) << "[network]\nlatency_us = 5\n";
  }
  ~PredictCommand() override { std::filesystem::remove_all(folder_); }

  static testing::Ended call(const Words& words) {
    const Program program{.name = "waves",
                          .doc = "Carries things.",
                          .version = "1.2.3",
                          .applications = testing::applications(),
                          .commands = {{"few", "Turn.",
                                        [](const Words& own) {
                                          std::printf("options of few: %s\n", own[0].c_str());
                                          return 0;
                                        },
                                        few}}};
    return testing::call_program(program, words);
  }

  testing::Ended predict(const Words& more) const {
    Words words{"predict", "--machine", machine_, "--steps", "2"};
    words.insert(words.end(), more.begin(), more.end());
    return call(words);
  }

  void expect_refused(const Words& words, const std::string& complaint) const {
    const auto refused = predict(words);
    EXPECT_EQ(refused.code, exit_bad_request) << complaint;
    EXPECT_TRUE(has(refused.errors, complaint)) << refused.errors;
  }

  std::string file(const std::string& name) const { return folder_ + "/" + name; }

  static std::string text_of(const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  const std::string folder_ =
      ::testing::TempDir() + "command_predict_" + std::to_string(::getpid());
  const std::string deck_ = folder_ + "/spot.toml", machine_ = folder_ + "/m.toml";
};

/// The columns of the lines of a table whose first column is a number, below a heading.
std::vector<std::vector<double>> rows_below(const std::string& output, const std::string& heading) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(output.substr(output.find(heading)));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream columns(line);
    std::vector<double> row;
    for (double value = 0; columns >> value;) row.push_back(value);
    if (row.empty()) break;
    rows.push_back(row);
  }
  return rows;
}

TEST_F(PredictCommand, SaysStepsWithTheirRegridsAndOfWhatTheyAre) {
  const auto done = predict(
      {deck_, "--sweep", "P=1:2:2", "--seed", "3", "-o", file("p.json"), "regrid.interval=1"});
  ASSERT_EQ(done.code, exit_success) << done.errors;
  EXPECT_TRUE(has(done.output, "ms per step with regrids speed-up")) << done.output;
  const std::string json = text_of(file("p.json"));
  for (const std::string& part :
       {std::string("\"program\": \"waves\", \"version\": \"1.2.3\""),
        "\"deck\": \"" + deck_ + "\"", std::string("\"words\": [\"regrid.interval=1\"]"),
        std::string("\"task_times\": \"measured\", \"seed\": 3, \"steps\": 2"),
        std::string("\"step_with_regrids_ns\": "), std::string("\"machine\": \"m\"")})
    EXPECT_TRUE(has(json, part)) << part << "\n" << json;
}

TEST_F(PredictCommand, TimesTasksThatFewRanksAloneHave) {
  const auto done = predict({"--sweep", "P=2:4:2", "few"});
  EXPECT_EQ(done.code, exit_success);
  EXPECT_EQ(done.errors, "");
}

TEST_F(PredictCommand, SaysTheMemoryOfTheRankThatTakesMost) {
  const auto done = predict({"--ranks", "4", "few"});
  EXPECT_TRUE(has(done.output, "        4      4\n")) << done.output;
  EXPECT_TRUE(has(done.output, "MiB/rank: memory of the rank that takes most.")) << done.output;
}

TEST_F(PredictCommand, SaysWhereTheMachineIsGiven) {
  const auto behind = call({"predict", "few", "--machine", machine_});
  EXPECT_EQ(behind.code, exit_bad_request);
  EXPECT_TRUE(has(behind.errors, "no machine")) << behind.errors;
  EXPECT_TRUE(has(behind.errors, "--machine behind few")) << behind.errors;
}

TEST_F(PredictCommand, PrintsTheOptionsOfAProgram) {
  for (const char* help : {"--help", "-h"}) {
    const auto done = predict({"--ranks", "8", "few", help});
    EXPECT_EQ(done.code, exit_success);
    EXPECT_EQ(done.output, "options of few: --help\n");
  }
}

TEST_F(PredictCommand, SaysWhereItsOptionsAndRanksAreGiven) {
  expect_refused({"few", "--machine", machine_}, "--machine behind few");
  expect_refused({"--ranks", "3", "few", "--grid"}, "with --ranks give as many ranks");
  expect_refused({"--sweep", "P=3:3:2", "few", "--grid"}, "with --sweep give as many ranks");
}

TEST_F(PredictCommand, ReplacesNothingThatItReads) {
  const std::string times = file("t.toml"),
                    other = folder_ + "/../" + std::filesystem::path(folder_).filename().string() +
                            "/t.toml";
  ASSERT_EQ(predict({deck_, "--save-times", times}).code, exit_success);
  const std::string before = text_of(times);
  for (const std::string& name : {times, other})
    expect_refused({deck_, "--times", times, "-o", name, "--force"}, "--times is this file");
  expect_refused({deck_, "--save-times", machine_, "--force"}, "--machine is this file");
  expect_refused({deck_, "--timeline", deck_, "--force"}, "the deck is this file");
  EXPECT_EQ(text_of(times), before);
  EXPECT_EQ(text_of(deck_), regridding_spot);
}

TEST_F(PredictCommand, RefusesTimesOfOtherBlocks) {
  const std::string times = file("t.toml");
  ASSERT_EQ(predict({deck_, "--save-times", times}).code, exit_success);
  EXPECT_EQ(predict({deck_, "--times", times, "--ranks", "2"}).errors, "");
  EXPECT_EQ(predict({deck_, "--times", times, "mesh.root_blocks=[8,8]"}).code, exit_success);
  expect_refused({deck_, "--times", times, "mesh.block_cells=16"},
                 "mesh.block_cells is [8, 8] there and [16, 16] here");
  expect_refused({deck_, "--times", times, "run.grain=4"}, "run.grain is 1 there and 4 here");
  expect_refused({"--times", times, "few"}, "this is few");
}

TEST_F(PredictCommand, WarnsOfTimesOfAProgramWithOtherWords) {
  const std::string times = file("t.toml");
  ASSERT_EQ(predict({"--ranks", "2", "--save-times", times, "few", "5"}).code, exit_success);
  EXPECT_EQ(predict({"--ranks", "2", "--times", times, "few", "5"}).errors, "");
  const auto other = predict({"--ranks", "2", "--times", times, "few", "6"});
  EXPECT_EQ(other.code, exit_success);
  EXPECT_TRUE(
      has(other.errors, "may be of other tasks (what is behind it is \"5\" there and \"6\" here"))
      << other.errors;
}

TEST_F(PredictCommand, WarnsOfTracesThatDoNotSayTheirSettings) {
  const std::string trace = file("t.pftrace");
  ASSERT_EQ(predict({"--ranks", "2", "--timeline", trace, "few", "5"}).code, exit_success);
  const auto command = predict({"--ranks", "2", "--trace", trace, "few", "6"});
  EXPECT_EQ(command.code, exit_success) << command.errors;
  const std::string part = "nothing is known of the settings that --trace " + trace + " is of";
  EXPECT_TRUE(has(command.errors, part)) << command.errors;
  EXPECT_TRUE(has(command.errors, "make sure that it is of 'few 6'")) << command.errors;

  ASSERT_EQ(predict({deck_, "--timeline", file("d.pftrace")}).code, exit_success);
  const auto of_deck = predict({deck_, "--trace", file("d.pftrace")});
  EXPECT_EQ(of_deck.code, exit_success) << of_deck.errors;
  EXPECT_TRUE(has(of_deck.errors, "make sure that it is of '" + deck_ + "'")) << of_deck.errors;
}

TEST_F(PredictCommand, WarnsOfTimesThatDoNotSayTheirSettings) {
  const std::string times = file("t.toml");
  std::ofstream(times) << "[tasks]\nnames = [\"turn\", \"turn alone\"]\nns = [1, 1]\n"
                          "ns_per_byte = [0, 0]\n";
  const auto done = predict({"--sweep", "P=1:2:2", "--times", times, "few", "6"});
  EXPECT_EQ(done.code, exit_success) << done.errors;
  const std::string part = "nothing is known of the settings that --times " + times + " is of";
  EXPECT_TRUE(has(done.errors, part)) << done.errors;
  EXPECT_EQ(done.errors.find(part), done.errors.rfind(part)) << done.errors;
  EXPECT_TRUE(has(done.errors, "make sure that it is of 'few 6'")) << done.errors;
}

TEST_F(PredictCommand, SaysChangesOfStepsWithTheirRegrids) {
  // Messages take nearly all of the time, of regrids too.
  std::ofstream(machine_) << "[network]\nlatency_us = 1e6\n";
  const auto done =
      predict({deck_, "--ranks", "4", "--what-if", "latency=0x", "-o", file("p.json")});
  ASSERT_EQ(done.code, exit_success) << done.errors;
  const auto number_behind = [](const std::string& text, const std::string& key) {
    return std::stod(text.substr(text.find(key) + key.size()));
  };
  EXPECT_TRUE(has(done.output, "with latency=0x ")) << done.output;
  EXPECT_LT(number_behind(done.output, " ms per step with regrids, "), 0.5) << done.output;
  const std::string json = text_of(file("p.json"));
  const std::string changed = json.substr(json.find("\"change\": "));
  const double alone = number_behind(changed, "\"step_ns\": "),
               with_regrids = number_behind(changed, "\"step_with_regrids_ns\": ");
  EXPECT_GT(with_regrids, alone);
  EXPECT_LT(with_regrids, 0.5 * number_behind(json, "\"step_with_regrids_ns\": ")) << json;
}

TEST_F(PredictCommand, LooksAtChangesOfTasksThatFewRanksAloneHave) {
  const auto done = predict({"--sweep", "P=2:4:2", "--what-if", "kernels.turn alone=0x", "few"});
  ASSERT_EQ(done.code, exit_success) << done.errors;
  const auto at = done.output.find("4 ranks, 1 thread, phase: with kernels.turn alone=0x ");
  ASSERT_NE(at, std::string::npos) << done.output;
  EXPECT_TRUE(has(done.output.substr(at), ", 1.000 of it\n")) << done.output;
  EXPECT_TRUE(has(done.output, "2 ranks, 1 thread, phase: with kernels.turn alone=0x "));
  expect_refused(
      {"--sweep", "P=2:4:2", "--what-if", "latency=0x,kernels.turned=0x", "--save-times",
       file("t.toml"), "few"},
      "kernels.turned=0x (there are no times of tasks 'turned'); there are turn, turn alone");
  EXPECT_FALSE(std::filesystem::exists(file("t.toml")));
}

TEST_F(PredictCommand, LooksAtChangesOfTasksThatRegridsAloneHave) {
  const auto done = predict({deck_, "--ranks", "2", "--what-if", "kernels.tag=1000x"});
  ASSERT_EQ(done.code, exit_success) << done.errors;
  const auto at = done.output.find("with kernels.tag=1000x ");
  ASSERT_NE(at, std::string::npos) << done.output;
  const std::string gain = done.output.substr(at);
  EXPECT_TRUE(has(gain, " ms per step, 1.000 of it\n")) << gain;
  EXPECT_FALSE(has(gain, " ms per step with regrids, 1.000 of it")) << gain;
  expect_refused({deck_, "--what-if", "kernels.mesh=0x"}, "there are no times of tasks 'mesh'");
  // Of pairs nothing is measured, and what they take follows from what single blocks do.
  EXPECT_EQ(predict({deck_, "--what-if", "kernels.advance joined 2=0x"}).code, exit_success);
}

TEST_F(PredictCommand, CapturesStepsOnceWhereTasksChange) {
  int n_captures = 0;
  const auto counting = [&](const Words& words, int n_ranks) {
    VirtualProgram program = few(words, n_ranks);
    program.look_at_step = [&n_captures, look = program.look_at_step](const Context& context,
                                                                      const OnGraph& hear) {
      n_captures += context.transport.rank()() == 0 ? 1 : 0;
      look(context, hear);
    };
    return program;
  };
  const Program program{.name = "waves",
                        .doc = "Carries things.",
                        .version = "1.2.3",
                        .applications = testing::applications(),
                        .commands = {{"few", "Turn.", [](const Words&) { return 0; }, counting}}};
  const auto done =
      testing::call_program(program, {"predict", "--machine", machine_, "--steps", "2", "--ranks",
                                      "4", "--what-if", "kernels.turn=0x", "few"});
  EXPECT_EQ(done.code, exit_success) << done.errors;
  EXPECT_EQ(n_captures, 1);
}

TEST_F(PredictCommand, SaysHowManyStepsWereSimulated) {
  for (const auto& [word, steps] : {std::pair{"5", "\"steps\": 2,"}, {"once", "\"steps\": 1,"}}) {
    const auto done = predict({"--force", "-o", file("p.json"), "few", word});
    ASSERT_EQ(done.code, exit_success) << done.errors;
    EXPECT_TRUE(has(text_of(file("p.json")), steps)) << word;
  }
}

TEST_F(PredictCommand, TimesNoTasksThatTakeMoreMemoryThanThereIs) {
  expect_refused({"--ranks", "4", "few", "vast"}, "3 ranks of 1073741824.0 GiB each");
  ASSERT_EQ(predict({"--save-times", file("t.toml"), "few"}).code, exit_success);
  EXPECT_EQ(predict({"--times", file("t.toml"), "few", "vast"}).code, exit_success);
}

TEST_F(PredictCommand, SaysThatAThreadForMessagesIsNotSimulated) {
  expect_refused({"--ranks", "2", "few", "poller"}, "--progress thread has no effect");
  const auto done = predict({deck_, "--ranks", "2", "run.progress=thread"});
  EXPECT_EQ(done.code, exit_success);
  EXPECT_TRUE(has(done.errors, "warning: run.progress = thread has no effect")) << done.errors;
}

TEST_F(PredictCommand, SaysOnceThatNoTaskSharesMemory) {
  std::ofstream(machine_) << "[memory]\ndomain_cores = 4\nfull_speed_cores = 2\n";
  const auto done = predict({deck_, "--sweep", "P=1:2:2"});
  EXPECT_EQ(done.code, exit_success);
  const std::string part = "memory.domain_cores of machine \"m\" has no effect";
  EXPECT_TRUE(has(done.errors, part)) << done.errors;
  EXPECT_EQ(done.errors.find(part), done.errors.rfind(part)) << done.errors;
}

TEST_F(PredictCommand, NamesProgramsWhereThereIsNoSuchDeck) {
  expect_refused({"fewer", "4"}, "'fewer' (there is no such deck, and no program of this name)");
  expect_refused({"fewer", "4"}, "or one of few with its options behind it");
  expect_refused({file("none.toml")}, "no such file");
}

TEST_F(PredictCommand, LeavesOutWhatIsRepeated) {
  const auto done = predict({deck_, "--model", "phase,dataflow,phase", "--what-if", "latency=2x",
                             "--what-if", "latency=2x"});
  ASSERT_EQ(done.code, exit_success) << done.errors;
  for (const std::string part : {"1 thread, phase: with latency=2x", "1 thread, phase: critical"}) {
    EXPECT_TRUE(has(done.output, part)) << done.output;
    EXPECT_EQ(done.output.find(part), done.output.rfind(part)) << done.output;
  }
}

TEST_F(PredictCommand, SaysWhichMessagesOfTheRanksOfANodeTakeNoTime) {
  std::ofstream(machine_) << "[machine]\ncores_per_node = 4\n[network]\nlatency_us = 5\n";
  const auto within = predict({"--ranks", "2", "few"});
  EXPECT_TRUE(has(within.output, "between ranks of a node take no time")) << within.output;
  std::ofstream(machine_) << "[machine]\ncores_per_node = 4\n[memory]\nlatency_us = 5\n";
  EXPECT_FALSE(has(predict({"--ranks", "2", "few"}).output, "take no time"));
  const auto between = call({"tune", deck_, "--machine", machine_, "--cores", "4", "--steps", "2",
                             "--messages", "1", "--block-cells", "8", "run.threads=2"});
  EXPECT_FALSE(has(between.output, "take no time")) << between.output;
  EXPECT_FALSE(has(between.output, "run.threads")) << between.output;  // --threads says it
}

TEST_F(PredictCommand, WarnsOfRanksOfANodeThatItsCoresSay) {
  std::ofstream(machine_) << "[machine]\ncores_per_node = 4\nranks_per_node = 2\n";
  const auto done = predict({"--ranks", "2", "few"});
  EXPECT_EQ(done.code, exit_success);
  EXPECT_TRUE(
      has(done.errors, "warning: machine.ranks_per_node = 2 of machine \"m\" has no effect"))
      << done.errors;
}

TEST_F(PredictCommand, NamesTheFilesOfMachines) {
  const std::string other = file("other.toml");
  std::ofstream(other) << "[machine]\nname = \"m\"\n";
  const auto done = predict({"--machine", other, "--ranks", "2", "-o", file("p.json"), "few"});
  ASSERT_EQ(done.code, exit_success) << done.errors;
  for (const std::string& name : {machine_, other}) {
    EXPECT_TRUE(has(done.output, "m (" + name + "):\n")) << done.output;
    EXPECT_TRUE(has(text_of(file("p.json")), "\"machine_file\": \"" + name + "\""));
  }
}

TEST_F(PredictCommand, SaysWhatIsWrongWithWhereARunGoesOn) {
  expect_refused({"--restart", file("nope")}, "there is no such folder; check the path");
  expect_refused({"--restart", "latest"}, "or the folder of a run, of which the newest is taken");
}

TEST_F(PredictCommand, RefusesASeedThatIsTooGreat) {
  expect_refused({deck_, "--seed", "99999999999999999999999"},
                 "must be at most 18446744073709551615");
}

TEST_F(PredictCommand, TunesStepsWithTheirRegrids) {
  const auto done = call({"tune", deck_, "--machine", machine_, "--cores", "4", "--steps", "2",
                          "--messages", "1", "mesh.root_blocks=[4,4]", "mesh.block_cells=8"});
  ASSERT_EQ(done.code, exit_success) << done.errors;
  const auto layouts = rows_below(done.output, " block cells");  // ..., ms, with regrids, over best
  ASSERT_GE(layouts.size(), 6U) << done.output;
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    EXPECT_GT(layouts[i][5], layouts[i][4]);
    EXPECT_GE(layouts[i][5], layouts[i == 0 ? 0 : i - 1][5]) << done.output;
  }
  // As often as in the deck, the fastest layout takes as long as above.
  const auto intervals = rows_below(done.output, "regrid interval");
  ASSERT_EQ(intervals.size(), 3U) << done.output;
  const auto own = std::ranges::find(intervals, 2.0, [](const auto& row) { return row[0]; });
  ASSERT_NE(own, intervals.end()) << done.output;
  EXPECT_EQ((*own)[2], layouts[0][4]) << done.output;
  EXPECT_EQ((*own)[3], layouts[0][5]) << done.output;
  const auto proposed = done.output.substr(done.output.find("proposed: "));
  for (const char* key : {"mesh.root_blocks=", "mesh.block_cells=", "regrid.interval="})
    EXPECT_EQ(proposed.find(key), proposed.rfind(key)) << proposed;
}

TEST_F(PredictCommand, TunesOnAsManyNodesForAllLayouts) {
  const auto warnings_of = [&](const std::string& machine) {
    std::ofstream(machine_) << "[machine]\n" << machine << "[network]\nlatency_us = 5\n";
    const auto done = call({"tune", deck_, "--machine", machine_, "--cores", "2", "--steps", "2",
                            "--messages", "1", "--block-cells", "8", "mesh.max_level=0"});
    EXPECT_EQ(done.code, exit_success) << done.errors;
    return done.errors;
  };
  const std::string part = "warning: these layouts are on 1 to 2 nodes (ranks_per_node = 1 of";
  EXPECT_TRUE(has(warnings_of(""), part)) << warnings_of("");
  for (const char* known : {"cores_per_node = 2\n", "ranks_per_node = 2\n"})
    EXPECT_FALSE(has(warnings_of(known), "nodes")) << known;
}

}  // namespace
}  // namespace thalweg::app
