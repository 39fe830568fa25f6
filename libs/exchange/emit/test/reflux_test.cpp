// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/reflux.hpp>

#include <cmath>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/testing/blocks.hpp>

namespace thalweg::exchange {
namespace {

using testing::holder;
using testing::n_components;
using testing::n_ghosts;
using testing::random_value;
using testing::wrapped;

/// What a register holds: a number that belongs to the coarse cell outside, the face's axis and
/// side, and to whether it is the coarse or the fine flux.
template <int D>
double flux_value(int coarse_level, const Index<D>& outside, int component, int axis, int side,
                  bool is_fine) {
  return random_value(coarse_level, outside, component,
                      static_cast<std::uint64_t>(100 + 4 * axis + 2 * side + (is_fine ? 1 : 0)));
}

template <int D>
void fill_registers(const RegisterSet<D>& set, int coarse_level, bool is_fine) {
  for (const auto& block : set)
    for (const auto& r : block.registers) {
      const auto to_cell = r.patch.side == 0 ? Index<D>::unit(r.patch.axis) * -1 : Index<D>{};
      for_each(r.values.box(), [&](const Index<D>& face) {
        for (int c = 0; c < n_components; ++c)
          r.values[c, face] =
              flux_value(coarse_level, face + to_cell, c, r.patch.axis, r.patch.side, is_fine);
      });
    }
}

/// Reflux all levels of random forests with random fluxes; expect of each coarse cell what its own
/// neighbours say.
template <int D>
void expect_refluxed(int n_ranks) {
  std::int64_t n_corrected = 0;
  for (const auto& c : testing::few_cases<D>()) {
    SCOPED_TRACE(::testing::Message() << c << ", " << n_ranks << " ranks");
    std::int64_t n_wrong = 0;
    const auto keys = testing::keys_of(c);
    testing::on_virtual_ranks(n_ranks, [&](testing::VirtualRank& self) {
      const auto forest = mesh::testing::random_forest(c, self.rank(), n_ranks, self.collectives());
      const auto neighbours = mesh::find_neighbour_info(forest, self.collectives());
      const auto& geometry = forest.geometry;
      testing::Blocks<D> blocks(forest);
      const auto value = [](int level, const Index<D>& cell, int component) {
        return random_value(level, cell, component, 0);
      };
      blocks.fill(value, value);

      for (int l = 1; l < forest.n_levels(); ++l) {
        auto recorder = self.recorder();
        const auto coarse = blocks.bind(recorder, l - 1);
        const auto plan = plan_reflux(forest, neighbours, {l, n_ghosts, 2});
        const auto fine_set =
            make_registers(recorder, plan.produced, &FluxPatch<D>::fine, n_components);
        const auto coarse_set =
            make_registers(recorder, plan.consumed, &FluxPatch<D>::coarse, n_components);
        fill_registers(fine_set, l - 1, true);
        fill_registers(coarse_set, l - 1, false);
        emit_reflux(recorder, coarse, plan, fine_set, coarse_set, geometry.cell_size(l - 1),
                    n_components);
        self.run(std::move(recorder));
      }

      const auto has_finer = [&](int level, const Index<D>& cell) {
        return keys.contains(holder(geometry, level + 1, cell * geometry.ratio(level)));
      };
      for (int l = 0; l < forest.n_levels(); ++l)
        for (std::size_t b = 0; b < blocks.cells(l).size(); ++b)
          for_each(geometry.cells(blocks.cells(l).keys()[b]), [&](const Index<D>& i) {
            for (int k = 0; k < n_components; ++k) {
              double expected = value(l, i, k);
              for (int axis = 0; axis < D; ++axis)
                for (const int side : {0, 1}) {  // of the fine block: it lies above for 0
                  const auto beyond =
                      wrapped(geometry, l, i + Index<D>::unit(axis) * (side == 0 ? 1 : -1));
                  if (!beyond || has_finer(l, i) || !has_finer(l, *beyond)) continue;
                  const double coarse = flux_value(l, i, k, axis, side, false);
                  const double fine = flux_value(l, i, k, axis, side, true);
                  const double gained = side == 0 ? coarse - fine : fine - coarse;
                  expected += gained / geometry.cell_size(l)[axis];
                  ++n_corrected;
                }
              n_wrong += std::abs(blocks.cells(l).view(b)[k, i] - expected) >
                         1e-13 * std::abs(expected) + 1e-12;
            }
          });
    });
    EXPECT_EQ(n_wrong, 0);
  }
  EXPECT_GT(n_corrected, 0);
}

TEST(EmitReflux, corrects_each_coarse_cell_by_the_faces_it_shares_with_fine_ones_1d) {
  for (const int n_ranks : {1, 3}) expect_refluxed<1>(n_ranks);
}
TEST(EmitReflux, corrects_each_coarse_cell_by_the_faces_it_shares_with_fine_ones_2d) {
  for (const int n_ranks : {1, 3}) expect_refluxed<2>(n_ranks);
}
TEST(EmitReflux, corrects_each_coarse_cell_by_the_faces_it_shares_with_fine_ones_3d) {
  for (const int n_ranks : {1, 3}) expect_refluxed<3>(n_ranks);
}

TEST(FineFaces, are_those_of_the_fine_block_where_the_domain_wraps_around) {
  // Fine cells 0..8 at the lower end of a periodic axis of 32 coarse cells: the coarse cell outside
  // is number 31.
  const FluxPatch<1> patch{{0, 3}, 0, 0, {1, 0}, {{{31}}, {{32}}}};
  const Box<1> fine_cells{{{0}}, {{8}}};

  EXPECT_EQ(coarse_faces(patch), (Box<1>{{{32}}, {{33}}}));
  EXPECT_EQ(fine_faces(patch, fine_cells, 2), (Box<1>{{{0}}, {{1}}}));
}

TEST(FineFaces, lie_at_the_upper_end_on_side_1) {
  const FluxPatch<2> patch{{0, 0}, 1, 1, {1, 0}, {{{0, 4}}, {{4, 5}}}};
  const Box<2> fine_cells{{{0, 0}}, {{8, 8}}};

  EXPECT_EQ(coarse_faces(patch), patch.region);
  EXPECT_EQ(fine_faces(patch, fine_cells, 2), (Box<2>{{{0, 4}}, {{4, 5}}}));
}

TEST(MakeRegisters, groups_patches_by_block_each_with_room_of_its_own) {
  flow::Recorder recorder(Rank{0}, 1);
  const FluxPatch<1> a{{0, 1}, 0, 0, {1, 4}, {{{3}}, {{4}}}};
  const FluxPatch<1> b{{0, 2}, 0, 1, {1, 4}, {{{8}}, {{9}}}};
  const FluxPatch<1> c{{0, 1}, 0, 1, {1, 2}, {{{1}}, {{2}}}};

  const auto set = make_registers(recorder, {a, b, c}, &FluxPatch<1>::fine, 3);

  ASSERT_EQ(set.size(), 2u);
  ASSERT_NE(find_registers(set, {1, 4}), nullptr);
  EXPECT_EQ(find_registers(set, {1, 4})->registers.size(), 2u);
  EXPECT_EQ(find_registers(set, {1, 2})->registers.size(), 1u);
  EXPECT_EQ(find_registers(set, {1, 3}), nullptr);
  const auto& two = find_registers(set, {1, 4})->registers;
  EXPECT_EQ(two[0].values.data() + 3, two[1].values.data());
}

}  // namespace
}  // namespace thalweg::exchange
