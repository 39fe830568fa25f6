// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/plotfile.hpp>

#include <numeric>

#include <gtest/gtest.h>

#include <thalweg/io/plotfile_read.hpp>

#include "run_on.hpp"

namespace thalweg::miniamr {
namespace {

// Two levels below the root, blocks that are no cubes, a plotfile at the start and after 4 steps.
std::unique_ptr<testing::Outcome> plotted(int n_ranks, const std::string& layout) {
  return testing::run_on(
      n_ranks, parse_options(
                   testing::words_of("--nx 4 --ny 2 --nz 6 --num_vars 3 --num_refine 2 "
                                     "--num_tsteps 4 --stages_per_ts 1 --refine_freq 2 "
                                     "--report_perf 0 --plotfile_freq 4 --plotfile_vars 2 "
                                     "--num_objects 1 --object 3 0 .1 .1 .1 0 0 0 .1 .1 .1 0 0 0 " +
                                     layout),
                   n_ranks));
}

TEST(Plotfile, covers_the_domain_on_every_coarser_level) {
  const auto outcome = plotted(2, "--npx 2 --init_y 2");
  ASSERT_EQ(outcome->error, "");
  EXPECT_EQ(*outcome->files.list("."), (std::vector<std::string>{"plt00000", "plt00004"}));
  const auto plot = io::read_plotfile(outcome->files, "plt00004");
  ASSERT_TRUE(plot) << plot.error().message;
  EXPECT_EQ(plot->step, 4);
  EXPECT_EQ(plot->time, 4.0);
  EXPECT_EQ(plot->variables, (std::vector<std::string>{"v0", "v1"}));
  EXPECT_EQ(plot->ratios, (std::vector{2, 2}));
  ASSERT_EQ(plot->levels.size(), 3U);
  EXPECT_EQ(plot->levels[0].records.size(), 4U);  // split or not
  EXPECT_EQ(plot->levels[1].records.size(), 8U);
}

TEST(Plotfile, holds_under_finer_boxes_what_they_hold) {
  // Values are per volume of level 0, so the sum of finer cells is 8 times that of the coarser.
  const auto outcome = plotted(3, "--npy 3");
  ASSERT_EQ(outcome->error, "");
  const auto plot = io::read_plotfile(outcome->files, "plt00004");
  ASSERT_TRUE(plot) << plot.error().message;
  const auto sum = [&](std::size_t level, std::size_t b) {
    const auto cells = io::read_record(outcome->files, *plot, level, b);
    EXPECT_TRUE(cells);
    return std::accumulate(cells->begin(), cells->end(), 0.0);
  };
  int n_covered = 0;
  for (std::size_t l = 0; l + 1 < plot->levels.size(); ++l)
    for (std::size_t b = 0; b < plot->levels[l].records.size(); ++b) {
      const auto& finer = plot->levels[l + 1].records;
      double below = 0;
      for (std::size_t f = 0; f < finer.size(); ++f)
        if (plot->levels[l].records[b].box.refined(2).contains(finer[f].box))
          below += sum(l + 1, f);
      if (below == 0) continue;
      ++n_covered;
      EXPECT_NEAR(below / (8 * sum(l, b)), 1, 1e-14) << "level " << l << ", box " << b;
    }
  EXPECT_GE(n_covered, 3);
}

TEST(Plotfile, is_the_same_on_any_ranks) {
  const auto alone = plotted(1, "--init_x 2 --init_y 2");
  const auto expected = io::hash_plotfile(alone->files, "plt00004");
  ASSERT_TRUE(expected) << expected.error().message;
  EXPECT_EQ(io::hash_plotfile(plotted(2, "--npx 2 --init_y 2")->files, "plt00004").value(),
            *expected);
  EXPECT_EQ(io::hash_plotfile(plotted(4, "--npx 2 --npy 2 --morton")->files, "plt00004").value(),
            *expected);
}

}  // namespace
}  // namespace thalweg::miniamr
