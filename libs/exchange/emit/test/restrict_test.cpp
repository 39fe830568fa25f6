// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/restrict.hpp>

#include <cmath>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/testing/blocks.hpp>

namespace thalweg::exchange {
namespace {

using testing::n_components;
using testing::n_ghosts;
using testing::random_value;

/// Restrict the finest level of random forests; expect means under its blocks, and nothing changed
/// elsewhere.
template <int D>
void expect_restricted(int n_ranks) {
  std::int64_t n_means = 0;
  for (const auto& c : testing::few_cases<D>()) {
    SCOPED_TRACE(::testing::Message() << c << ", " << n_ranks << " ranks");
    std::int64_t n_wrong = 0;
    testing::on_virtual_ranks(n_ranks, [&](testing::VirtualRank& self) {
      const auto forest = mesh::testing::random_forest(c, self.rank(), n_ranks, self.collectives());
      const auto neighbours = mesh::find_neighbour_info(forest, self.collectives());
      const auto& geometry = forest.geometry;
      testing::Blocks<D> blocks(forest);
      const auto value = [](int level, const Index<D>& cell, int component) {
        return random_value(level, cell, component, 0);
      };
      blocks.fill(value, value);

      const int finest = forest.n_levels() - 1;
      if (finest == 0) return;
      auto recorder = self.recorder();
      const auto fine = blocks.bind(recorder, finest);
      const auto coarse = blocks.bind(recorder, finest - 1);
      emit_restrict(recorder, fine, coarse,
                    plan_restrict(forest, neighbours, {finest, n_ghosts, 2}),
                    geometry.ratio(finest - 1), n_components);
      self.run(std::move(recorder));

      for (std::size_t b = 0; b < blocks.cells(finest - 1).size(); ++b) {
        const auto& key = blocks.cells(finest - 1).keys()[b];
        const auto& fine_neighbours =
            neighbours.levels[static_cast<std::size_t>(finest - 1)].fine_neighbours;
        for_each(geometry.cells(key), [&](const Index<D>& i) {
          const Box<D> children =
              Box<D>{i, i + Index<D>::filled(1)}.refined(geometry.ratio(finest - 1));
          bool is_covered = false;
          for (const auto& f : fine_neighbours)
            is_covered = is_covered || geometry.cells(f.key).contains(children);
          for (int k = 0; k < n_components; ++k) {
            double expected = 0;
            for_each(children, [&](const Index<D>& child) {
              expected += value(finest, child, k) / static_cast<double>(children.n_cells());
            });
            const double result = blocks.cells(finest - 1).view(b)[k, i];
            if (is_covered)
              n_wrong += std::abs(result - expected) > 1e-14;
            else
              n_wrong += result != value(finest - 1, i, k);
            n_means += is_covered;
          }
        });
      }
    });
    EXPECT_EQ(n_wrong, 0);
  }
  EXPECT_GT(n_means, 0);
}

TEST(EmitRestrict, puts_means_under_fine_blocks_and_nothing_elsewhere_1d) {
  for (const int n_ranks : {1, 3}) expect_restricted<1>(n_ranks);
}
TEST(EmitRestrict, puts_means_under_fine_blocks_and_nothing_elsewhere_2d) {
  for (const int n_ranks : {1, 3}) expect_restricted<2>(n_ranks);
}
TEST(EmitRestrict, puts_means_under_fine_blocks_and_nothing_elsewhere_3d) {
  for (const int n_ranks : {1, 3}) expect_restricted<3>(n_ranks);
}

}  // namespace
}  // namespace thalweg::exchange
