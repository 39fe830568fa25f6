// SPDX-License-Identifier: MIT
// No false alarm: miniAMR with splits, joins, moves between ranks, checksums and all stencils.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/flow/access_checker.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/miniamr/run.hpp>

#include "../../apps/miniamr/test/reference_case.hpp"

namespace thalweg::testing {
namespace {

/// A sphere that moves through a box: blocks split before it, join behind it, and change ranks.
void expect_nothing_found(int n_ranks, const std::string& more) {
  const std::string line =
      "--nx 2 --ny 2 --nz 2 --num_vars 2 --num_refine 1 --num_tsteps 4 --refine_freq 2 "
      "--stages_per_ts 3 --checksum_freq 3 --report_perf 0 --num_objects 1 "
      "--object 2 0 .1 .1 .1 .2 .2 .2 .15 .15 .15 0 0 0 ";
  const miniamr::Options options = miniamr::parse_options(
      miniamr::testing::words_of(line + "--npx " + std::to_string(n_ranks) + " " + more), n_ranks);
  flow::AccessChecker checker;
  io::MemoryFileSystem files;
  comm::SimNetwork network({.n_ranks = n_ranks});
  const auto done = network.run([&](flow::Transport& transport) {
    Logger log(stderr, transport.rank());
    app::Execution execution = miniamr::execution_of(options);
    execution.executor.n_workers = 1;
    execution.executor.checker = &checker;
    const auto end = miniamr::run(options, {transport, network.clock(), files, log, execution});
    if (!end) transport.abort(end.error().message);
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(checker.findings(), std::vector<std::string>{});
  EXPECT_EQ(checker.n_merged(), 0u) << "of " << checker.n_checked();
}

TEST(MiniAmr, declares_all_it_uses_on_one_rank) {
  expect_nothing_found(1, "--init_y 2");
  expect_nothing_found(1, "--stencil 27 --comm_vars 1 --permute");
}

TEST(MiniAmr, declares_all_it_uses_on_three_ranks) {
  expect_nothing_found(3, "--comm_vars 1 --send_faces");
  expect_nothing_found(3, "--max_comm_tasks 2 --morton --change_dir");
  expect_nothing_found(3, "--stencil 0 --num_vars 8 --model phase");
}

}  // namespace
}  // namespace thalweg::testing
