// SPDX-License-Identifier: MIT
// Whole runs of the reference's cases on virtual ranks, under random schedules: on every grid of up
// to four ranks, and begun with rand() on one.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reference_suites.hpp"

namespace thalweg::miniamr {
namespace {

using testing::ReferenceCase;

constexpr std::int64_t too_many_blocks = 200'000;

class ReferenceRuns : public ::testing::TestWithParam<ReferenceCase> {};

TEST_P(ReferenceRuns, have_its_bits_on_any_grid_of_ranks) {
  // In turns, from grid to grid: none changes what comes out.
  const std::vector<std::string> ways{
      "--model dataflow",
      "--model bulk --morton --lb_opt 2 --group_blocks",
      "--model phase --hilbert --inbalance 10 --send_faces",
      "--model forkjoin --change_dir --limit_move 30 --separate_buffers",
      "--model dataflow --trunc_hilbert --max_comm_tasks 3",
      "--model phase --break_ties",
  };
  const ReferenceCase& c = GetParam();
  std::size_t n_runs = 0;
  for (int n_ranks = 1; n_ranks <= 4; ++n_ranks)
    for (const Index<3>& grid : testing::grids_of(c.root, n_ranks)) {
      const std::string way = ways[n_runs++ % ways.size()];
      SCOPED_TRACE(fmt::format("{} x {} x {} ranks {}", grid[0], grid[1], grid[2], way));
      const auto outcome = testing::run_on(
          n_ranks, testing::options_on(c, grid, testing::as_the_reference + way), n_runs);
      ASSERT_EQ(outcome->error, "");
      testing::expect_reference(c, c.field_hash, outcome->printed, outcome->facts);
      testing::expect_sums(c, outcome->facts);
    }
}

TEST_P(ReferenceRuns, have_its_bits_where_values_are_drawn_on_one_rank) {
  const ReferenceCase& c = GetParam();
  const auto outcome =
      testing::run_on(1, testing::options_of(c, 1, testing::as_the_reference + "--init rand"));
  ASSERT_EQ(outcome->error, "");
  testing::expect_reference(c, c.drawn_hash, outcome->printed, outcome->facts);
}

INSTANTIATE_TEST_SUITE_P(Small, ReferenceRuns, testing::small_cases(too_many_blocks),
                         testing::name_of);
INSTANTIATE_TEST_SUITE_P(DISABLED_Large, ReferenceRuns, testing::large_cases(too_many_blocks),
                         testing::name_of);

}  // namespace
}  // namespace thalweg::miniamr
