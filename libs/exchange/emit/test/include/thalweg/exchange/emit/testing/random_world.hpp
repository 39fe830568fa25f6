// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/hash.hpp>
#include <thalweg/core/random.hpp>
#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/exchange/emit/testing/dense_oracle.hpp>

namespace thalweg::exchange::testing {

/// A small domain with a forest, ghost cells, values and a moment that a seed chooses.
template <int D>
struct World {
  mesh::testing::Case<D> forest;
  int width = 1;  ///< of the ghost cells
  Values<D> values;
  double theta = 0;  ///< of the moment within the coarser level's step
  numerics::Prolongation rule;

  explicit World(std::uint64_t seed) {
    SplitMix64 random(hash_number(seed, D));
    const auto below = [&](int n) {
      return static_cast<int>(random.below(static_cast<std::uint64_t>(n)));
    };
    forest.seed = seed;
    forest.partitioner = static_cast<mesh::Partitioner>(seed / 3 % 4);  // on any number of ranks
    auto& geometry = forest.geometry;
    geometry.ratio = below(D == 2 ? 4 : 16) == 0 ? 4 : 2;
    geometry.max_level = 1 + below(8) / (D == 2 ? 5 : 7);
    if (D == 2 && geometry.ratio == 2) geometry.max_level += below(8) / 7;
    if (geometry.max_level > 1 && below(2) == 0) {
      std::vector<std::int64_t> each;
      for (int l = 0; l < geometry.max_level; ++l) each.push_back(below(3) == 0 ? 4 : 2);
      geometry.ratio = mesh::Ratios(each);
    }
    for (int a = 0; a < D; ++a) {
      geometry.root_blocks[a] = 1 + (D == 2 ? below(3) : below(4) / 3);
      geometry.periodic[a] = below(2) == 0;
      geometry.block_cells[a] = below(6) == 0 ? 12 : 8;
    }
    width = below(64) == 0 ? 8 : 1 + below(8) / (D == 2 ? 4 : 5);
    theta = 0.25 * below(5);
    rule.order = static_cast<numerics::ProlongOrder>(1 + below(3));
    if (below(2) == 0) rule.limiter = numerics::SlopeLimiter::minmod;
    values.is_polynomial = below(2) == 0;
    values.ratio = geometry.ratio;
    values.seed = seed;
    for (std::size_t c = 0; c < 2; ++c) {
      values.drift[c] = below(9) - 4;
      // Of the degree that the rule is exact for.
      for (int a = 0; a < D; ++a) {
        if (rule.order >= numerics::ProlongOrder::linear) values.slope[c][a] = below(15) - 7;
        if (rule.order == numerics::ProlongOrder::parabolic) values.bend[c][a] = below(7) - 3;
      }
      if (rule.order == numerics::ProlongOrder::parabolic) values.twist[c] = below(7) - 3;
    }
    for (int a = 0; a < D; ++a)
      values.goes_around[static_cast<std::size_t>(a)] = geometry.periodic[a] && below(2) == 0;
  }
};

/// How many ghost cells of which kind have been looked at.
struct Seen {
  std::int64_t copied = 0;
  std::int64_t prolonged = 0;
  std::int64_t corners = 0;                ///< prolonged, outside the block along all axes
  std::array<std::int64_t, 3> exact{};     ///< prolonged, and only the polynomial will do; by order
  std::array<std::int64_t, 3> periodic{};  ///< of these, looking across a periodic end
  std::int64_t outside = 0;
  std::int64_t idle_ranks = 0;    ///< without a block
  std::int64_t single_ranks = 0;  ///< with one of level 0
  std::int64_t wrong = 0;

  Seen& operator+=(const Seen& more) {
    for (const auto count : counts) this->*count += more.*count;
    wrong += more.wrong;
    for (std::size_t order = 0; order < 3; ++order) {
      exact[order] += more.exact[order];
      periodic[order] += more.periodic[order];
    }
    return *this;
  }
  /// All but those by order, and those that must not be.
  static constexpr std::array counts{&Seen::copied,  &Seen::prolonged,  &Seen::corners,
                                     &Seen::outside, &Seen::idle_ranks, &Seen::single_ranks};
};

/// Look at all ghost cells of a block after they were filled.
template <int D>
void look(const World<D>& world, const BoundaryContext<Tracers<D>>& boundary,
          const DenseOracle<D>& oracle, int level, const View<double, D>& cells, Seen& seen) {
  const Index<D> n = boundary.geometry.domain_cells(level).hi;
  const Box<D> valid = cells.box().grown(-world.width);
  for_each(cells.box(), [&](const Index<D>& i) {
    if (valid.contains(i)) return;
    Index<D> inside = i;
    Index<D> mirrored = i;
    double factor = 1;
    for (int a = 0; a < D; ++a) {
      if (i[a] >= 0 && i[a] < n[a]) continue;
      const bool is_above = i[a] >= n[a];
      const auto kind = boundary.boundaries[static_cast<std::size_t>(2 * a + is_above)];
      if (kind == numerics::Boundary::periodic) {
        inside[a] = (i[a] + 8 * n[a]) % n[a];
      } else if (kind == numerics::Boundary::outflow) {
        mirrored[a] = is_above ? n[a] - 1 : 0;
      } else {
        mirrored[a] = (is_above ? 2 * n[a] : 0) - 1 - i[a];
        factor *= a + 2;
      }
    }
    const double u = cells[0, i];
    const double v = cells[1, i];
    if (mirrored != i) {
      ++seen.outside;
      seen.wrong += u != factor * cells[0, mirrored] || v != cells[1, mirrored];
      return;
    }
    const auto expect = [&](const typename DenseOracle<D>::Both& expected) {
      seen.wrong += expected != typename DenseOracle<D>::Both{u, v};
    };
    if (oracle.has(level, inside)) {
      ++seen.copied;
      expect(oracle.expected(level, inside));
      return;
    }
    ++seen.prolonged;
    bool is_corner = true;
    for (int a = 0; a < D; ++a)
      is_corner = is_corner && (i[a] < valid.lo[a] || i[a] >= valid.hi[a]);
    seen.corners += is_corner;
    const auto looks = oracle.looks(level, inside);
    if (world.values.is_polynomial && looks != DenseOracle<D>::Looks::across) {
      const auto order = static_cast<std::size_t>(world.rule.order) - 1;
      ++seen.exact[order];
      seen.periodic[order] += looks == DenseOracle<D>::Looks::around;
      const auto polynomial = [&](int c) {
        const double before = world.values(level, inside, c, 0);
        return before + world.theta * (world.values(level, inside, c, 1) - before);
      };
      expect({polynomial(0), polynomial(1)});
    } else {
      expect(oracle.expected(level, inside));
    }
  });
}

/// Look at many worlds; none may have a wrong cell, and together they must have as many of each
/// kind as these: some two thirds of what was counted once. No constant looks across anything.
inline void expect_right(std::uint64_t first_seed, std::uint64_t n_worlds, const Seen& least,
                         const std::function<Seen(std::uint64_t)>& see) {
  Seen all;
  for (std::uint64_t seed = first_seed; seed < first_seed + n_worlds; ++seed) {
    const Seen seen = see(seed);
    ASSERT_EQ(seen.wrong, 0) << "in the world of seed " << seed;
    all += seen;
  }
  for (std::size_t i = 0; i < Seen::counts.size(); ++i)
    EXPECT_GE(all.*Seen::counts[i], least.*Seen::counts[i]) << "count " << i;
  for (std::size_t order = 0; order < 3; ++order) {
    EXPECT_GE(all.exact[order], least.exact[order]) << "of order " << order + 1;
    EXPECT_GE(all.periodic[order], least.periodic[order]) << "of order " << order + 1;
  }
}

}  // namespace thalweg::exchange::testing
