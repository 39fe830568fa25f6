// SPDX-License-Identifier: MIT
// What leaves hold in whole portions, through a step with fluxes at all faces, a flux correction,
// and a move to the next leaves: nothing is rounded, so the sum must not change in a bit.
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/move.hpp>
#include <thalweg/exchange/emit/reflux.hpp>
#include <thalweg/exchange/emit/testing/leaf_world.hpp>
#include <thalweg/flow/collective.hpp>

namespace thalweg::exchange {
namespace {

using testing::Blocks;
using testing::n_components;
using testing::Tracers;

std::uint64_t number(std::uint64_t name, const auto& index) {
  for (const int i : index.at) name = hash_number(static_cast<std::uint64_t>(i), name);
  return name;
}

/// The cell size of a level [that of level 0].
template <int D>
double cell_width(const mesh::Geometry<D>& geometry, int level) {
  return 1.0 / static_cast<double>(geometry.ratio_to_root(level));
}

/// From -8 to 8 portions through a face, where the domain goes on beyond it; face i of an axis is
/// the lower one of cell i.
template <int D>
double flux(const mesh::Geometry<D>& geometry, int level, int axis, Index<D> face) {
  const Index<D> n = geometry.domain_cells(level).hi;
  if (geometry.is_periodic(axis))
    face[axis] = (face[axis] + n[axis]) % n[axis];
  else if (face[axis] == 0 || face[axis] == n[axis])
    return 0;
  const auto name = static_cast<std::uint64_t>(8 * level + axis);
  return static_cast<double>(number(name, face) % 17) - 8;
}

/// The mean flux through the fine faces of a coarse one.
template <int D>
double fine_flux(const mesh::Geometry<D>& geometry, int level, int axis, const Index<D>& face) {
  const int ratio = geometry.ratio(level - 1);
  Box<D> faces = Box<D>{face, face + Index<D>::filled(1)}.refined(ratio);
  faces.hi[axis] = faces.lo[axis] + 1;
  double sum = 0;
  for_each(faces, [&](const Index<D>& i) { sum += flux(geometry, level, axis, i); });
  return sum / static_cast<double>(faces.n_cells());
}

/// Leaves, with room for their cells and those of what lies under them.
template <int D>
struct Amounts {
  mesh::LeafForest<D> leaves;
  mesh::Forest<D> forest;
  mesh::NeighbourInfo<D> neighbours;
  Blocks<D> blocks;

  Amounts(mesh::LeafForest<D> of_leaves, TransportCollectives collectives)
      : leaves(std::move(of_leaves)),
        forest(mesh::nested_of(leaves, collectives)),
        neighbours(mesh::find_neighbour_info(forest, collectives)),
        blocks(forest) {
    const auto nothing = [](int, const Index<D>&, int) {
      return std::numeric_limits<double>::quiet_NaN();
    };
    blocks.fill(nothing, nothing);
  }

  /// Call f(level, cell, view of its block) for all cells of this rank's leaves.
  template <class F>
  void for_each_leaf_cell(const F& f) const {
    for (const auto& leaf : leaves.leaves) {
      const auto& view = blocks.cells(leaf.level).view(*blocks.cells(leaf.level).find(leaf));
      for_each(leaves.geometry().cells(leaf), [&](const Index<D>& i) { f(leaf.level, i, view); });
    }
  }
  /// The first component, over the leaves of all ranks.
  double total(flow::Transport& transport) const {
    double sum = 0;
    for_each_leaf_cell([&](int level, const Index<D>& i, const View<double, D>& view) {
      double volume = 1;
      for (int a = 0; a < D; ++a) volume *= cell_width(leaves.geometry(), level);
      sum += volume * view[0, i];
    });
    return flow::all_reduce(transport, sum, std::plus<double>{});
  }
};

/// Advance the leaves by fluxes that differ between levels, correct the coarse ones, and fill what
/// lies under leaves.
template <int D>
void advance(const Amounts<D>& now, testing::VirtualRank& self) {
  const auto& geometry = now.forest.geometry;
  now.for_each_leaf_cell([&](int level, const Index<D>& i, const View<double, D>& view) {
    for (int a = 0; a < D; ++a) {
      const double gained =
          flux(geometry, level, a, i) - flux(geometry, level, a, i + Index<D>::unit(a));
      for (int c = 0; c < n_components; ++c) view[c, i] += gained / cell_width(geometry, level);
    }
  });
  auto recorder = self.recorder();
  const auto levels = testing::bind_levels(recorder, now.blocks, now.forest.n_levels());
  for (int l = 1; l < now.forest.n_levels(); ++l) {
    const auto plan = plan_reflux(now.forest, now.neighbours, {.level = l, .max_comm_tasks = 2});
    const auto fill = [&](auto block, auto patches, const auto& value) {
      const auto set = make_registers(recorder, patches, block, n_components);
      for (const auto& of_block : set)
        for (const auto& r : of_block.registers)
          for_each(r.values.box(), [&](const Index<D>& face) {
            for (int c = 0; c < n_components; ++c) r.values[c, face] = value(r.patch.axis, face);
          });
      return set;
    };
    const auto fine = fill(&FluxPatch<D>::fine, plan.produced, [&](int axis, const auto& face) {
      return fine_flux(geometry, l, axis, face);
    });
    const auto coarse = fill(&FluxPatch<D>::coarse, plan.consumed, [&](int axis, const auto& face) {
      return flux(geometry, l - 1, axis, face);
    });
    emit_reflux(recorder, levels[static_cast<std::size_t>(l - 1)], plan, fine, coarse,
                Vec<D>::filled(cell_width(geometry, l - 1)), n_components);
  }
  testing::emit_means(recorder, now.forest, now.neighbours, levels);
  self.run(std::move(recorder));
}

/// Bring the cells of some leaves to those that come after.
/// @return how many blocks of this rank are new
template <int D>
std::size_t move_cells(const Amounts<D>& before, const Amounts<D>& after,
                       testing::VirtualRank& self) {
  const numerics::Prolongation rule{.order = numerics::ProlongOrder::linear};
  const auto& geometry = after.forest.geometry;
  const BoundaryContext<Tracers<D>> boundary{{geometry, testing::boundaries(geometry), rule}};
  const auto claims = exchange_claims(before.forest, after.forest, self.collectives());
  std::size_t n_new = 0;
  for (int l = 0; l < after.forest.n_levels(); ++l) {
    const PlanOptions options{l, testing::n_ghosts, 2, rule.reach()};
    const auto plan = plan_move(before.forest, after.forest, claims, options);
    auto recorder = self.recorder();
    const LevelData<D> old_level = l < before.forest.n_levels()
                                       ? before.blocks.bind(recorder, l)
                                       : LevelData<D>{.level = l, .blocks = {}};
    const auto level = after.blocks.bind(recorder, l);
    emit_move(recorder, old_level, level, plan, n_components);
    n_new += plan.new_blocks.size();
    if (l > 0) {
      const auto asked =
          self.collectives().exchange(send_new_blocks<D>(after.forest, plan.new_blocks, options));
      emit_prolong(recorder, boundary, level, after.blocks.bind(recorder, l - 1),
                   plan_coarse_interior<D>(after.forest, plan.new_blocks, asked, options));
    }
    self.run(std::move(recorder));
  }
  return n_new;
}

template <int D>
void expect_nothing_lost(std::uint64_t seed, int n_ranks, std::size_t& n_new) {
  const auto c = testing::leaf_case(testing::leaf_world<D>(seed));
  SCOPED_TRACE(::testing::Message() << c << " on " << n_ranks);
  testing::on_virtual_ranks(
      n_ranks,
      [&](testing::VirtualRank& self) {
        auto collectives = self.collectives();
        Amounts<D> first(mesh::testing::random_leaves(c, self.rank(), n_ranks, collectives),
                         collectives);
        first.for_each_leaf_cell([&](int level, const Index<D>& i, const View<double, D>& view) {
          for (int k = 0; k < n_components; ++k)
            view[k, i] = static_cast<double>(number(static_cast<std::uint64_t>(level), i) % 4096);
        });
        const double total = first.total(self.transport());
        ASSERT_GT(total, 0);

        advance(first, self);
        EXPECT_EQ(first.total(self.transport()), total) << "after fluxes";

        const auto wishes = mesh::testing::random_flags(c, c.n_adaptations, first.leaves);
        const Amounts<D> second(mesh::adapt<D>(first.leaves, wishes, collectives), collectives);
        n_new += move_cells(first, second, self);
        EXPECT_EQ(second.total(self.transport()), total) << "after the move";

        advance(second, self);
        EXPECT_EQ(second.total(self.transport()), total) << "after fluxes on the next leaves";
      },
      seed);
}

template <int D>
void expect_nothing_lost(std::uint64_t n_seeds) {
  std::size_t n_new = 0;
  for (std::uint64_t seed = 1; seed <= n_seeds; ++seed)
    expect_nothing_lost<D>(seed, seed % 8 == 0 ? 64 : std::array{1, 2, 3, 5}[seed % 4], n_new);
  EXPECT_GT(n_new, 10 * n_seeds / 8);
}

TEST(LeafMoves, conserve_to_the_bit_with_fluxes_corrected_between_levels_1d) {
  expect_nothing_lost<1>(40);
}
TEST(LeafMoves, conserve_to_the_bit_with_fluxes_corrected_between_levels_2d) {
  expect_nothing_lost<2>(40);
}
TEST(LeafMoves, conserve_to_the_bit_with_fluxes_corrected_between_levels_3d) {
  expect_nothing_lost<3>(12);
}

}  // namespace
}  // namespace thalweg::exchange
