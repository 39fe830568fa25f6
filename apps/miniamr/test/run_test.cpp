// SPDX-License-Identifier: MIT
// Whole runs on virtual ranks, under random schedules: meshes, fields and flops of the reference.
#include <thalweg/miniamr/run.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/trace/file.hpp>
#include <thalweg/trace/sink.hpp>

#include "run_on.hpp"

namespace thalweg::miniamr {
namespace {

using testing::ReferenceCase;
using testing::run_on;

void expect_reference(const std::string& name, int n_ranks, const std::string& more) {
  const ReferenceCase c = testing::reference_case(REFERENCE_CASES, name);
  const auto outcome =
      run_on(n_ranks, testing::options_of(c, n_ranks, "--compat --fingerprint " + more));
  EXPECT_EQ(outcome->error, "");
  ASSERT_FALSE(c.meshes.empty());
  for (const auto& mesh : c.meshes)
    EXPECT_NE(outcome->printed.find(fmt::format("mesh {} {:016x}\n", mesh.step, mesh.hash)),
              std::string::npos)
        << mesh.step;
  for (const auto& line : {fmt::format("field {}\n", c.field_hash),
                           fmt::format("     Total floating point ops: {}.000000\n", c.n_flops),
                           fmt::format("     Total blocks           : {}\n", c.total_blocks)})
    EXPECT_NE(outcome->printed.find(line), std::string::npos) << line << outcome->printed;
}

TEST(Run, has_the_references_meshes_fields_and_flops) {
  expect_reference("nvars_40_commvars_7", 1, "");
  expect_reference("nvars_40_commvars_7", 2, "--model phase --lb_opt 2 --max_blocks 200");
  expect_reference("num_refine_2_noncubic_blocks", 3, "--model bulk --change_dir");
  expect_reference("time_driven", 4, "--hilbert --send_faces");
  expect_reference("uniform_refine_27pt", 2, "--model forkjoin");
}

TEST(Run, counts_what_the_mixed_stencil_does) {
  // Of the reference program, begun with the position hash.
  const std::string line =
      "--nx 4 --ny 2 --nz 6 --num_vars 13 --stencil 0 --num_refine 1 --uniform_refine 1 "
      "--num_tsteps 2 --stages_per_ts 7 --checksum_freq 0 --fingerprint ";
  for (const std::string layout : {"--init_x 2", "--npx 2"}) {
    const int n_ranks = layout == "--npx 2" ? 2 : 1;
    const auto outcome = run_on(n_ranks, parse_options(testing::words_of(line + layout), n_ranks));
    EXPECT_EQ(outcome->error, "");
    for (const std::string text :
         {"field 2b6fb6726320f545\n", "Adds:                  1486099.000000\n",
          "Muls:                  444723.000000\n", "Divides:               141296.000000\n"})
      EXPECT_NE(outcome->printed.find(text), std::string::npos) << text << outcome->printed;
  }
}

TEST(Run, reads_ghost_cells_that_are_as_old_as_the_references) {
  // Of the reference program, begun with the position hash; the same on its layouts too.
  const std::string line =
      "--nx 4 --ny 2 --nz 6 --num_refine 2 --num_tsteps 2 --checksum_freq 0 --fingerprint "
      "--num_objects 1 --object 3 0 .1 .3 .2 0 0 0 .2 .2 .2 0 0 0 ";
  const std::string in_groups = "--stencil 0 --num_vars 9 --comm_vars 4 --stages_per_ts 7 ";
  const std::string of_27 = "--stencil 27 --num_vars 2 --stages_per_ts 3 ";
  for (const auto& [layout, n_ranks] :
       {std::pair("--init_x 2 --init_y 2", 1), std::pair("--npx 2 --init_y 2", 2)}) {
    const auto run = [&, n = n_ranks](const std::string& more) {
      return run_on(n, parse_options(testing::words_of(line + more), n))->printed;
    };
    const std::string mixed = run(in_groups + layout);
    EXPECT_NE(mixed.find("field 32d2a231425e5077\n"), std::string::npos) << mixed;
    EXPECT_NE(mixed.find("Divides:               327911.0"), std::string::npos) << mixed;
    const std::string uneven = run(of_27 + layout);
    EXPECT_NE(uneven.find("field 0fc18013da0ea09d\n"), std::string::npos) << uneven;
  }
}

TEST(Run, sends_ghost_cells_in_the_references_order_and_across_levels) {
  // Of the reference program, begun with the position hash; the same on three of its layouts.
  const std::string mesh = "--nx 4 --ny 2 --nz 6 --num_refine 2 --checksum_freq 0 --fingerprint ";
  const std::string still =
      "--num_tsteps 2 --num_objects 1 --object 3 0 .1 .3 .2 0 0 0 .2 .2 .2 0 0 0 ";
  const std::string moving =
      "--num_tsteps 6 --refine_freq 2 --num_objects 1 "
      "--object 3 0 .1 .3 .2 .1 0 .05 .2 .2 .2 0 0 0 ";
  // Directives of directions differ from timestep to timestep; with --code, blocks that are new see
  // nothing old.
  for (const auto& [line, field] :
       {std::pair(still + "--stencil 27 --num_vars 2 --stages_per_ts 4 --permute ",
                  "c6d8a5fd393d099f"),
        std::pair(moving + "--stencil 0 --num_vars 9 --stages_per_ts 5 --permute --code 1 ",
                  "39ba85c6ae4fdcb9"),
        std::pair(moving + "--stencil 27 --num_vars 2 --stages_per_ts 3 --code 2 ",
                  "c13ca5eda806fb30")})
    for (const auto& [layout, n_ranks] :
         {std::pair("--init_x 2 --init_y 2", 1), std::pair("--npx 2 --init_y 2", 2)}) {
      const auto outcome =
          run_on(n_ranks, parse_options(testing::words_of(mesh + line + layout), n_ranks));
      EXPECT_NE(outcome->printed.find(fmt::format("field {}\n", field)), std::string::npos)
          << line << outcome->printed;
    }
}

TEST(Run, refines_uniformly_to_level_0) {
  const auto outcome = run_on(
      1,
      parse_options(testing::words_of("--init_x 2 --nx 2 --ny 2 --nz 2 --num_vars 1 --fingerprint "
                                      "--num_refine 0 --uniform_refine 1 --num_tsteps 1"),
                    1));
  EXPECT_NE(outcome->printed.find("mesh 0 26b43236031ab634\n"), std::string::npos)
      << outcome->printed;
}

TEST(Run, takes_blocks_of_more_than_a_million_cells) {
  const std::string line =
      "--nx 128 --ny 128 --nz 66 --num_vars 1 --num_tsteps 1 --stages_per_ts 1 --num_refine 0 "
      "--error_tol 13 ";
  const auto one = run_on(1, parse_options(testing::words_of(line), 1));
  EXPECT_EQ(one->error, "");
  ASSERT_EQ(one->facts.checksums.size(), 1U);
  EXPECT_NEAR(one->facts.checksums[0], 128 * 128 * 66 / 2.0, 2000) << "values are in [0, 1)";
}

TEST(Run, balances_as_far_as_there_is_room) {
  // Eight last siblings want to stay together, more than a rank may have.
  const std::string line =
      "--nx 2 --ny 2 --nz 2 --num_vars 1 --num_refine 1 --num_tsteps 6 --refine_freq 3 --npx 4 "
      "--fingerprint --num_objects 1 --object 3 0 .1 .5 .5 0 0 0 .1 .1 .1 0 0 0 --morton "
      "--group_blocks ";
  const auto free = run_on(4, parse_options(testing::words_of(line), 4));
  const auto full = run_on(4, parse_options(testing::words_of(line + "--max_blocks 7"), 4));
  EXPECT_EQ(full->error, "");
  EXPECT_NE(full->printed.find("max 7\n"), std::string::npos) << full->printed;
  const auto field = [](const std::string& text) { return text.substr(text.find("field "), 22); };
  EXPECT_EQ(field(full->printed), field(free->printed));
}

TEST(Run, may_refine_and_do_nothing_else) {
  const ReferenceCase c = testing::reference_case(REFERENCE_CASES, "block_change_2");
  const auto outcome = run_on(2, testing::options_of(c, 2, "--fingerprint --stages_per_ts 0"));
  EXPECT_EQ(outcome->error, "");
  ASSERT_FALSE(c.meshes.empty());
  for (const auto& mesh : c.meshes)
    EXPECT_NE(outcome->printed.find(fmt::format("mesh {} {:016x}\n", mesh.step, mesh.hash)),
              std::string::npos);
}

TEST(Run, a_rank_may_have_nothing_to_do) {
  // Eight last siblings stay together: they are the second rank's, and the third has none.
  const std::string line =
      "--nx 2 --ny 2 --nz 2 --num_vars 1 --num_refine 1 --num_tsteps 6 --refine_freq 3 "
      "--fingerprint --num_objects 1 --object 3 0 .1 .5 .5 0 0 0 .1 .1 .1 0 0 0 ";
  const auto alone = run_on(1, parse_options(testing::words_of(line + "--init_x 4"), 1));
  const auto some =
      run_on(4, parse_options(testing::words_of(line + "--npx 4 --morton --group_blocks"), 4));
  const auto field = [](const std::string& text) { return text.substr(text.find("field "), 22); };
  EXPECT_EQ(field(alone->printed), field(some->printed));
  EXPECT_NE(some->printed.find("min 0 max 8"), std::string::npos) << some->printed;
}

TEST(Run, writes_results_and_plots) {
  const auto outcome = run_on(
      2,
      parse_options(testing::words_of("--npx 2 --nx 2 --ny 2 --nz 2 --num_vars 1 --num_refine 1 "
                                      "--num_tsteps 5 --plot_freq 2 --report_perf 3 "
                                      "--num_objects 1 --object 3 0 .1 .1 .1 0 0 0 .1 .1 .1 0 0 0"),
                    2));
  EXPECT_EQ(outcome->error, "");
  EXPECT_EQ(outcome->printed, "");
  EXPECT_EQ(*outcome->files.list("."), (std::vector<std::string>{"plot.00", "plot.02", "plot.04",
                                                                 "results.txt", "results.yaml"}));
  const std::string plot = *io::read_text(outcome->files, "plot.00");
  EXPECT_TRUE(plot.starts_with("9 1 2 1 1\n")) << plot;
  EXPECT_EQ(std::ranges::count(plot, '\n'), 1 + 2 + 9) << plot;  // and a line a rank and block
  EXPECT_NE(io::read_text(outcome->files, "results.yaml")->find("num_tsteps: 5\n"),
            std::string::npos);
}

TEST(Run, tells_of_each_timestep_before_its_first_check) {
  const std::string line =
      "--npx 2 --nx 4 --ny 4 --nz 4 --num_vars 2 --num_refine 1 --num_tsteps 4 --stages_per_ts 2 "
      "--refine_freq 3 --checksum_freq 1 --report_perf 8 --report_diffusion --num_objects 1 "
      "--object 3 0 .1 .1 .1 0 0 0 .1 .1 .1 0 0 0";
  for (const std::string model : {"bulk", "dataflow"}) {
    const auto outcome = run_on(2, parse_options(testing::words_of(line + " --model " + model), 2));
    EXPECT_EQ(outcome->error, "");
    for (int step = 1; step <= 4; ++step) {
      const auto told = outcome->printed.find(fmt::format("Timestep {} ", step));
      const auto first = outcome->printed.find(fmt::format("\n{} var ", step));
      const auto last = outcome->printed.rfind(fmt::format("\n{} var ", step));
      const auto next = outcome->printed.find(fmt::format("Timestep {} ", step + 1));
      ASSERT_NE(told, std::string::npos) << step;
      EXPECT_LT(told, first) << outcome->printed;
      EXPECT_LT(last, next) << outcome->printed;
    }
  }
}

TEST(Run, ends_where_a_rank_has_no_room) {
  const auto outcome = run_on(
      2, parse_options(testing::words_of("--npx 2 --nx 2 --ny 2 --nz 2 --num_vars 1 --num_refine 2 "
                                         "--max_blocks 4 --lb_opt 2 --num_objects 1 "
                                         "--object 1 0 .5 .5 .5 0 0 0 .5 .5 .5 0 0 0"),
                       2));
  EXPECT_NE(outcome->error.find("more than --max_blocks 4"), std::string::npos) << outcome->error;
  EXPECT_EQ(outcome->error.find("--lb_opt"), std::string::npos) << "it does not help";
}

/// The numbers in lines of a text that begin so, one line after another; other words are skipped.
std::vector<std::vector<std::int64_t>> numbers_of(const std::string& text, std::string_view begin) {
  std::vector<std::vector<std::int64_t>> numbers;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(begin)) continue;
    std::vector<std::int64_t>& of_line = numbers.emplace_back();
    for (const std::string& word : testing::words_of(line))
      if (word.find_first_not_of("0123456789") == std::string::npos)
        of_line.push_back(std::stoll(word));
  }
  return numbers;
}

TEST(Run, says_of_each_balance_what_it_moves_and_would_have_moved) {
  const std::string line =
      "--npx 3 --init_x 2 --init_y 2 --init_z 2 --nx 2 --ny 2 --nz 2 --num_vars 1 --num_refine 2 "
      "--num_tsteps 4 --stages_per_ts 1 --refine_freq 2 --lb_opt 2 --limit_move 10 --num_objects 1 "
      "--object 3 0 .2 .2 .2 .1 .1 0 .25 .25 .25 0 0 0";
  const auto outcome = run_on(3, parse_options(testing::words_of(line), 3));
  EXPECT_EQ(outcome->error, "");
  const std::string after_start = outcome->printed.substr(outcome->printed.find("Timestep 1 "));
  const auto before = numbers_of(after_start, "before ave");
  const auto moves = numbers_of(after_start, "Move ");
  EXPECT_EQ(std::ssize(numbers_of(outcome->printed, "before ave")), outcome->facts.n_balances);
  EXPECT_EQ(std::ssize(numbers_of(outcome->printed, "Move ")), std::ssize(moves))
      << "the first refinement has no limit";
  ASSERT_EQ(moves.size(), before.size());
  EXPECT_GT(moves.size(), 2U) << "refinements after the start, which balance after each pass";
  for (std::size_t i = 0; i < moves.size(); ++i) {
    ASSERT_EQ(moves[i].size(), 2U);
    EXPECT_LE(10 * moves[i][0], 3 * before[i][0] + 2) << "of the blocks of all ranks";
    EXPECT_LE(moves[i][0], moves[i][1]);
  }
}

TEST(Run, ends_where_a_checksum_changes) {
  // With 27 points edges and corners between levels are not conservative.
  const auto outcome = run_on(
      1, parse_options(
             testing::words_of("--nx 4 --ny 4 --nz 4 --num_vars 1 --num_refine 1 "
                               "--init_x 2 --init_y 2 --init_z 2 --stencil 27 --num_objects 1 "
                               "--object 3 0 .1 .1 .1 0 0 0 .1 .1 .1 0 0 0"),
             1));
  EXPECT_NE(outcome->error.find("checksum"), std::string::npos) << outcome->error;
}

/// How many tasks of a name all ranks have in a step; none: in what is run between steps.
std::size_t count(std::span<const trace::RankTrace> traces, std::string_view name,
                  std::optional<std::uint64_t> step) {
  std::size_t n = 0;
  for (const trace::RankTrace& rank : traces)
    for (const trace::Event& event : rank.events.at(0)) {
      const bool is_here =
          rank.runs[event.run].first_step ? step && rank.step_of(event) == *step : !step;
      n += is_here && event.kind == trace::EventKind::task && rank.name_of(event) == name;
    }
  return n;
}

TEST(Run, leaves_a_trace_with_all_tasks_of_all_ranks) {
  const std::string line =
      "--nx 4 --ny 4 --nz 4 --init_x 2 --npx 2 --num_vars 2 --stages_per_ts 3 --num_tsteps 8 "
      "--num_refine 1 --refine_freq 2 --report_perf 0 --trace t --num_objects 1 "
      "--object 2 0 .1 .5 .5 .2 0 0 .1 .1 .1 0 0 0";
  const auto traces_of = [&](const std::string& more) {
    const auto outcome = run_on(2, parse_options(testing::words_of(line + more), 2));
    EXPECT_EQ(outcome->error, "");
    const auto text = io::read_text(outcome->files, "t");
    const auto traces = trace::read_traces(text.value_or(""), "t");
    EXPECT_TRUE(traces);
    return traces.value_or(std::vector<trace::RankTrace>{});
  };
  const auto all = traces_of("");
  ASSERT_EQ(all.size(), 2u);
  for (std::uint64_t step = 1; step <= 8; ++step)
    EXPECT_GE(count(all, "stencil", step), 3u * 4) << step;  // stages, of root blocks at least
  EXPECT_GT(count(all, "split", {}), 0u);
  const auto some = traces_of(" --trace_steps 4 6");
  for (std::uint64_t step : {4, 5})
    EXPECT_EQ(count(some, "stencil", step), count(all, "stencil", step)) << step;
  // Steps that were in flight beside these may be there, too.
  EXPECT_EQ(count(some, "stencil", 1) + count(some, "stencil", 8), 0u);
}

TEST(Run, leaves_a_trace_where_results_cannot_be_written) {
  const auto options = parse_options(
      testing::words_of("--nx 2 --ny 2 --nz 2 --num_vars 1 --num_refine 0 --stages_per_ts 1 "
                        "--num_tsteps 2 --report_perf 5 --trace t"),
      1);
  testing::Outcome outcome;
  ASSERT_TRUE(outcome.files.make_directory("results.yaml"));
  thalweg::testing::run_proxy(1, execution_of(options), outcome.files, outcome,
                              [&](const app::Context& context) { return run(options, context); });
  EXPECT_NE(outcome.error.find("results.yaml"), std::string::npos) << outcome.error;
  EXPECT_NE(outcome.printed.find("Summary:"), std::string::npos) << outcome.printed;
  EXPECT_TRUE(trace::read_traces(io::read_text(outcome.files, "t").value_or(""), "t"));
}

/// Hears of runs of graphs for timesteps.
class Runs final : public trace::Sink {
 public:
  bool begin_run(const trace::RunStart& run) override {
    if (run.first_step && run.n_replays > 1) of_steps.emplace_back(*run.first_step, run.n_replays);
    return false;
  }
  void describe(trace::GraphInfo) override {}
  void record(const trace::Event&) noexcept override {}
  void end_run(std::int64_t) override {}

  std::vector<std::pair<std::uint64_t, std::uint64_t>> of_steps;  ///< the first, and how many
};

TEST(Run, holds_few_timesteps_in_memory_where_nothing_is_to_be_done_between_them) {
  const auto options = parse_options(
      testing::words_of("--nx 2 --ny 2 --nz 2 --num_vars 1 --num_refine 0 --stages_per_ts 1 "
                        "--checksum_freq 0 --num_tsteps 10002"),
      1);
  Runs runs;
  app::Execution execution = execution_of(options);
  execution.executor.sink = &runs;
  testing::Outcome outcome;
  thalweg::testing::run_proxy(1, execution, outcome.files, outcome,
                              [&](const app::Context& context) { return run(options, context); });
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(runs.of_steps,
            (std::vector<std::pair<std::uint64_t, std::uint64_t>>{{1, 10000}, {10001, 2}}));
  EXPECT_NE(outcome.printed.find("Timestep 10002 "), std::string::npos);
}

}  // namespace
}  // namespace thalweg::miniamr
