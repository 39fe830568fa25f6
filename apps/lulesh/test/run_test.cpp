// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/run.hpp>

#include <limits>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include <thalweg/io/testing/failing_files.hpp>
#include <thalweg/trace/file.hpp>

#include "../../../tests/support/proxy_run.hpp"
#include "../src/checkpoint.hpp"

namespace thalweg::lulesh {
namespace {

using RunOutcome = testing::ProxyOutcome<RunFacts>;

/// Asks a run to stop when it has been looked at so often.
class StopAt final : public app::Requests {
 public:
  explicit StopAt(int n_looks) : n_left_(n_looks) {}
  app::Request take() override { return {.stop = --n_left_ == 0}; }

 private:
  int n_left_;
};

/// Run on virtual ranks, under a random schedule.
/// @param n_looks  at which a run is asked to stop; 0: nobody can ask it anything
RunOutcome run_on(int n_ranks, const Options& options, io::FileSystem& files, int n_looks = 0) {
  RunOutcome outcome;
  testing::run_proxy(n_ranks, options.execution, files, outcome, [&](app::Context context) {
    StopAt stop(n_looks);
    if (n_looks > 0) context.requests = &stop;
    return run(options, context);
  });
  return outcome;
}

RunOutcome run_on(int n_ranks, const Options& options) {
  io::MemoryFileSystem files;
  return run_on(n_ranks, options, files);
}

TEST(LuleshRun, prints_the_lines_of_the_reference) {
  const RunOutcome outcome =
      run_on(8, {.settings = {.s = 2, .last_cycle = 2}, .shows_progress = true});
  ASSERT_EQ(outcome.error, "");
  const auto begin = outcome.printed.find("cycle = 1, time = 5.970995e-04, dt=5.970995e-04\n");
  ASSERT_NE(begin, std::string::npos) << outcome.printed;
  EXPECT_TRUE(outcome.printed.starts_with("Running problem size 2^3"));
  EXPECT_LT(begin, outcome.printed.find("cycle = 2, time = "));
  EXPECT_NE(outcome.printed.find("   Iteration count     =  2\n"), std::string::npos);
  EXPECT_TRUE(outcome.printed.ends_with("(z/s)\n\n"));
}

TEST(LuleshRun, prints_nothing_but_what_is_asked_for) {
  EXPECT_EQ(run_on(1, {.settings = {.s = 3, .last_cycle = 2}, .is_quiet = true}).printed, "");
  const RunOutcome hash =
      run_on(1, {.settings = {.s = 3, .last_cycle = 2}, .is_quiet = true, .prints_hash = true});
  EXPECT_EQ(hash.printed.size(), std::string("hash 0123456789abcdef\n").size());
}

TEST(LuleshRun, leaves_a_trace_of_cycles) {
  Options options{.settings = {.s = 2, .last_cycle = 8, .n_element_tasks = 2, .n_node_tasks = 3},
                  .is_quiet = true,
                  .checkpoint = "c",
                  .checkpoint_interval = 2,
                  .trace = {"t", {4, 6}}};
  io::MemoryFileSystem files;
  ASSERT_EQ(run_on(8, options, files).error, "");
  const auto text = io::read_text(files, "t");
  ASSERT_TRUE(text);
  const auto traces = trace::read_traces(*text, "t");
  ASSERT_TRUE(traces);
  ASSERT_EQ(traces->size(), 8U);
  for (const trace::RankTrace& rank : *traces) {
    std::map<std::uint64_t, int> n_of_cycle;
    for (const trace::Event& event : rank.events.at(0))
      if (event.kind == trace::EventKind::task && rank.name_of(event) == "kinematics")
        ++n_of_cycle[rank.step_of(event)];
    EXPECT_EQ(n_of_cycle[4], 2);
    EXPECT_EQ(n_of_cycle[5], 2);
    // Cycles that were in flight beside these may be there, too.
    EXPECT_EQ(n_of_cycle[1] + n_of_cycle[8], 0);
  }
}

TEST(LuleshRun, counts_the_tasks_of_all_ranks) {
  Options options{.settings = {.s = 2, .last_cycle = 3, .n_element_tasks = 2, .n_node_tasks = 3},
                  .is_quiet = true,
                  .prints_times = true};
  // A cycle: force, kinematics and material of 2 blocks, acceleration and motion of 3, begin and
  // verdict.
  const std::uint64_t tasks = 3 * (3 * 2 + 2 * 3 + 2);
  const RunOutcome one = run_on(1, options);
  EXPECT_EQ(one.facts.time.n_tasks, tasks);
  EXPECT_TRUE(one.printed.starts_with("Threads' time        = "));
  EXPECT_GT(run_on(8, options).facts.time.n_tasks, 8 * tasks);
}

TEST(LuleshRun, says_before_it_starts_what_it_could_not_write) {
  const Options small{.settings = {.s = 2, .last_cycle = 2}};
  Options options = small;
  options.writes_vtk = true;
  options.out = "nowhere";
  const RunOutcome vtk = run_on(1, options);
  EXPECT_NE(vtk.error.find("--out: "), std::string::npos) << vtk.error;
  EXPECT_EQ(vtk.printed, "");
  options = small;
  options.checkpoint = "nowhere/chk";
  EXPECT_NE(run_on(8, options).error.find("--checkpoint: "), std::string::npos);
}

TEST(LuleshRun, leaves_what_others_have_beside_its_checkpoint) {
  io::MemoryFileSystem files;
  for (const char* name : {"chk.new", "chk.tmp"}) ASSERT_TRUE(io::write_text(files, name, "mine"));
  ASSERT_EQ(run_on(8, {.settings = {.s = 2, .last_cycle = 2}, .checkpoint = "chk"}, files).error,
            "");
  EXPECT_EQ(*files.list("."), (std::vector<std::string>{"chk", "chk.new", "chk.tmp"}));
  EXPECT_EQ(*io::read_text(files, "chk.tmp"), "mine");
}

TEST(LuleshRun, writes_vtk_files_at_the_end) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("out"));
  const RunOutcome outcome = run_on(
      8, {.settings = {.s = 2, .last_cycle = 3}, .writes_vtk = true, .n_files = 2, .out = "out"},
      files);
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(*files.list("out"), (std::vector<std::string>{"lulesh_00003.pvtu", "lulesh_00003_0.vtu",
                                                          "lulesh_00003_1.vtu"}));
}

TEST(LuleshRun, goes_on_from_what_it_has_written) {
  io::MemoryFileSystem files;
  const auto run_in = [&](int n_ranks, Options options) {
    options.settings.s = n_ranks == 1 ? 4 : 2;
    return run_on(n_ranks, options, files);
  };
  const RunOutcome whole = run_in(1, {.settings = {.last_cycle = 9}});
  const RunOutcome first =
      run_in(8, {.settings = {.last_cycle = 6}, .checkpoint = "chk", .checkpoint_interval = 2});
  ASSERT_EQ(whole.error + first.error, "");
  const RunOutcome rest = run_in(1, {.settings = {.last_cycle = 9}, .restart = "chk"});
  EXPECT_EQ(rest.facts.hash, whole.facts.hash);
  EXPECT_EQ(rest.facts.n_cycles, 3);
  EXPECT_NE(rest.printed.find("   Iteration count     =  9\n"), std::string::npos);
  const RunOutcome lost = run_in(1, {.restart = "no"});
  EXPECT_NE(lost.error.find("--restart: "), std::string::npos);
  EXPECT_EQ(lost.printed, "");
}

TEST(LuleshRun, that_is_asked_to_stop_leaves_a_checkpoint) {
  io::MemoryFileSystem files;
  const Options nine{.settings = {.s = 2, .last_cycle = 9}, .checkpoint = "chk"};
  const RunOutcome whole = run_on(8, nine, files);
  ASSERT_EQ(whole.error, "");
  EXPECT_FALSE(whole.facts.is_stopped);
  EXPECT_EQ(run_on(8, nine, files, 100).facts.hash, whole.facts.hash) << "cut into pieces";
  const RunOutcome stopped = run_on(8, nine, files, 3);
  ASSERT_EQ(stopped.error, "");
  EXPECT_TRUE(stopped.facts.is_stopped);
  EXPECT_GT(stopped.facts.n_cycles, 0);
  EXPECT_LT(stopped.facts.n_cycles, 9);
  EXPECT_NE(stopped.printed.find("stopped after cycle "), std::string::npos) << stopped.printed;
  EXPECT_EQ(stopped.printed.find("Run completed"), std::string::npos);
  Options rest = nine;
  rest.restart = "chk";
  const RunOutcome gone_on = run_on(8, rest, files);
  EXPECT_EQ(gone_on.facts.hash, whole.facts.hash);
  EXPECT_EQ(gone_on.facts.n_cycles, 9 - stopped.facts.n_cycles);
}

TEST(LuleshRun, tells_its_results_before_it_fails_to_write_its_files) {
  io::MemoryFileSystem memory;
  ASSERT_TRUE(memory.make_directory("full"));
  io::testing::FailingFiles files(memory, "full");
  Options options{.settings = {.s = 2, .last_cycle = 4},
                  .checkpoint = "full/chk",
                  .checkpoint_interval = 1,
                  .prints_hash = true};
  const RunOutcome checkpoint = run_on(8, options, files);
  EXPECT_NE(checkpoint.error.find("No space left"), std::string::npos) << checkpoint.error;
  for (const char* part :
       {"no checkpoint of cycle 1: ", "no checkpoint of cycle 3: ", "Run completed", "hash "})
    EXPECT_NE(checkpoint.printed.find(part), std::string::npos) << checkpoint.printed;
  options.checkpoint.clear();
  options.checkpoint_interval = 0;
  options.writes_vtk = true;
  options.out = "full";
  const RunOutcome vtk = run_on(8, options, files);
  EXPECT_NE(vtk.error.find("No space left"), std::string::npos) << vtk.error;
  EXPECT_NE(vtk.printed.find("Run completed"), std::string::npos) << vtk.printed;
}

TEST(LuleshRun, that_is_over_from_the_start_leaves_a_checkpoint_too) {
  io::MemoryFileSystem files;
  const Options first{.settings = {.s = 2, .last_cycle = 2}, .checkpoint = "a"};
  const RunOutcome whole = run_on(1, first, files);
  ASSERT_EQ(whole.error, "");
  Options next = first;
  next.restart = "a";
  next.checkpoint = "b";
  next.checkpoint_interval = std::numeric_limits<std::int64_t>::max();
  const RunOutcome over = run_on(1, next, files);
  ASSERT_EQ(over.error, "");
  EXPECT_EQ(over.facts.n_cycles, 0);
  EXPECT_EQ(over.printed.find("nan"), std::string::npos) << over.printed;
  EXPECT_EQ(over.printed.find("inf"), std::string::npos) << over.printed;
  next.settings.last_cycle = 1;
  const RunOutcome behind = run_on(1, next, files);
  EXPECT_NE(behind.error.find("-i 1 (the checkpoint is of cycle 2"), std::string::npos);
  EXPECT_EQ(behind.printed, "");
  next.restart = "b";
  next.settings.last_cycle = 4;
  const RunOutcome rest = run_on(1, next, files);
  EXPECT_EQ(rest.error, "");
  EXPECT_EQ(rest.facts.n_cycles, 2);
}

TEST(LuleshRun, says_which_element_ended_it) {
  io::MemoryFileSystem files;
  comm::SimNetwork network({.n_ranks = 1});
  const auto written = network.run([&](flow::Transport& transport) {
    Logger log(nullptr, transport.rank());
    State state(Cube(4, 1, Rank(0)), {});
    state.fields().v[43] = 0;
    EXPECT_TRUE(write_checkpoint({transport, network.clock(), files, log, {}}, "chk", state));
  });
  ASSERT_TRUE(written);
  const RunOutcome outcome =
      run_on(8, {.settings = {.s = 2}, .is_quiet = true, .restart = "chk"}, files);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.facts.clock.fault, (Fault{Check::volume, 43}));
  EXPECT_TRUE(outcome.printed.starts_with(
      "error: element 43 has no volume (hourglass control), VolumeError, in cycle 1 at time "))
      << outcome.printed;
}

TEST(LuleshRun, has_the_same_hash_on_any_ranks) {
  const RunOutcome one = run_on(1, {.settings = {.s = 4, .last_cycle = 5}});
  const RunOutcome eight = run_on(8, {.settings = {.s = 2, .last_cycle = 5}});
  ASSERT_EQ(one.error + eight.error, "");
  EXPECT_EQ(one.facts.hash, eight.facts.hash);
  EXPECT_EQ(one.facts.origin_energy, eight.facts.origin_energy);
  EXPECT_NE(one.facts.hash, run_on(1, {.settings = {.s = 4, .last_cycle = 4}}).facts.hash);
}

}  // namespace
}  // namespace thalweg::lulesh
