// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/move.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/testing/blocks.hpp>

namespace thalweg::exchange {
namespace {

using testing::n_components;
using testing::n_ghosts;
using testing::random_value;
using testing::Tracers;

/// Move random states from one random forest to the next; expect old blocks to the bit, and new
/// ones as one cell at a time is interpolated.
template <int D>
void expect_moved(int n_ranks) {
  std::int64_t n_moved = 0;
  std::int64_t n_new = 0;
  for (const auto& c : testing::few_cases<D>()) {
    SCOPED_TRACE(::testing::Message() << c << ", " << n_ranks << " ranks");
    std::int64_t n_wrong = 0;
    testing::on_virtual_ranks(n_ranks, [&](testing::VirtualRank& self) {
      const auto old_forest =
          mesh::testing::random_forest(c, self.rank(), n_ranks, self.collectives());
      const auto new_forest = mesh::regrid<D>(
          old_forest, mesh::testing::random_wanted(old_forest, c.seed + 99), self.collectives());
      const auto& geometry = new_forest.geometry;
      testing::Blocks<D> before(old_forest);
      testing::Blocks<D> after(new_forest);
      const auto value = [](int level, const Index<D>& cell, int component) {
        return random_value(level, cell, component, 0);
      };
      before.fill(value, value);
      // New blocks are interpolated from known values: level 0 never changes.
      const int level = std::min(1, new_forest.n_levels() - 1);
      if (level == 0 || old_forest.n_levels() < 2) return;

      const auto claims = exchange_claims(old_forest, new_forest, self.collectives());
      const numerics::Prolongation rule{.order = numerics::ProlongOrder::parabolic};
      std::vector<mesh::Key<D>> new_blocks;
      for (const int l : {0, level}) {
        const PlanOptions options{l, n_ghosts, 2};
        auto recorder = self.recorder();
        const auto plan = plan_move(old_forest, new_forest, claims, options);
        emit_move(recorder, before.bind(recorder, l), after.bind(recorder, l), plan, n_components);
        self.run(std::move(recorder));
        new_blocks = plan.new_blocks;
      }
      const PlanOptions options{level, n_ghosts, 2, rule.reach()};
      const auto asked =
          self.collectives().exchange(send_new_blocks<D>(new_forest, new_blocks, options));
      auto recorder = self.recorder();
      const auto fine = after.bind(recorder, level);
      const auto coarse = after.bind(recorder, 0);
      const BoundaryContext<Tracers<D>> boundary{{geometry, testing::boundaries(geometry), rule}};
      emit_prolong(recorder, boundary, fine, coarse,
                   plan_coarse_interior<D>(new_forest, new_blocks, asked, options));
      self.run(std::move(recorder));

      for (std::size_t b = 0; b < after.cells(level).size(); ++b) {
        const auto& key = after.cells(level).keys()[b];
        const auto& view = after.cells(level).view(b);
        const bool is_new = std::ranges::binary_search(new_blocks, key);
        (is_new ? n_new : n_moved) += 1;
        for_each(geometry.cells(key), [&](const Index<D>& i) {
          const auto expected =
              is_new ? testing::prolonged(geometry, level, i, value, rule)
                     : typename Tracers<D>::State{value(level, i, 0), value(level, i, 1)};
          n_wrong += view[0, i] != expected.a || view[1, i] != expected.b;
        });
      }
    });
    EXPECT_EQ(n_wrong, 0);
  }
  EXPECT_GT(n_moved, 0);
  EXPECT_GT(n_new, 0);
}

TEST(EmitMove, keeps_old_blocks_and_interpolates_new_ones_1d) {
  for (const int n_ranks : {1, 3}) expect_moved<1>(n_ranks);
}
TEST(EmitMove, keeps_old_blocks_and_interpolates_new_ones_2d) {
  for (const int n_ranks : {1, 3}) expect_moved<2>(n_ranks);
}
TEST(EmitMove, keeps_old_blocks_and_interpolates_new_ones_3d) {
  for (const int n_ranks : {1, 3}) expect_moved<3>(n_ranks);
}

}  // namespace
}  // namespace thalweg::exchange
