// SPDX-License-Identifier: MIT
#include <thalweg/app/covered_boxes.hpp>

#include <cstdint>
#include <functional>

#include <gtest/gtest.h>

#include <thalweg/core/vec.hpp>
#include <thalweg/flow/collective.hpp>

#include "carried.hpp"

namespace thalweg::app {
namespace {

TEST(CoveredBoxes, leave_cells_that_fill_the_domain_once) {
  io::MemoryFileSystem files;
  for (const int n_ranks : {1, 3}) {
    double area = 0;
    const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
      const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
      const auto& mesh = simulation->mesh();
      ASSERT_EQ(mesh.n_levels(), 3);
      double mine = 0;
      for (int l = 0; l < mesh.n_levels(); ++l)
        for (const auto& key : mesh.forest.level(l).keys) {
          std::int64_t n_leaves = mesh.forest.geometry.cells(key).n_cells();
          for (const auto& box : covered_boxes(mesh, key)) {
            EXPECT_TRUE(mesh.forest.geometry.cells(key).contains(box));
            n_leaves -= box.n_cells();
          }
          mine += static_cast<double>(n_leaves) * product(mesh.forest.geometry.cell_size(l));
        }
      const double all = flow::all_reduce(context.transport, mine, std::plus<>());
      if (context.transport.rank() == Rank{0}) area = all;
    });
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_NEAR(area, 1.0, 1e-14);
  }
}

}  // namespace
}  // namespace thalweg::app
