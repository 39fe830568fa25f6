// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include <thalweg/core/hash.hpp>
#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/exchange/emit/testing/tracers.hpp>
#include <thalweg/exchange/emit/testing/virtual_ranks.hpp>
#include <thalweg/field/level_field.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/mesh/neighbour_info.hpp>
#include <thalweg/mesh/testing/cells.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/numerics/boundary.hpp>
#include <thalweg/numerics/prolongation.hpp>

namespace thalweg::exchange::testing {

using mesh::testing::holder;
using mesh::testing::wrapped;

inline constexpr int n_ghosts = 3;
inline constexpr int n_components = 2;

/// Small random forests, fewer in 3-D; see mesh::testing::cases.
template <int D>
std::vector<mesh::testing::Case<D>> few_cases() {
  auto all = mesh::testing::cases<D>();
  // With walls, ratio 2; periodic, ratio 4; both.
  if constexpr (D == 3) return {all[1], all[4], all[8], all[9]};
  return all;
}

/// The keys of a random forest on all ranks, found out on one.
template <int D>
std::set<mesh::Key<D>> keys_of(const mesh::testing::Case<D>& c) {
  std::set<mesh::Key<D>> keys;
  on_virtual_ranks(1, [&](VirtualRank& self) {
    keys = mesh::testing::all_keys<D>(
        {mesh::testing::random_forest(c, self.rank(), 1, self.collectives())});
  });
  return keys;
}

/// A random number in [1, 2) that belongs to a cell, on whichever rank.
template <int D>
double random_value(int level, const Index<D>& cell, int component, std::uint64_t version) {
  std::uint64_t h = hash_number(static_cast<std::uint64_t>(level), version);
  h = hash_number(static_cast<std::uint64_t>(component), h);
  for (int a = 0; a < D; ++a) h = hash_number(static_cast<std::uint64_t>(cell[a]), h);
  return 1.0 + static_cast<double>(h >> 12) * 0x1p-52;
}

/// The blocks of one rank, with room for a saved state of each, as a forest has them.
template <int D>
class Blocks {
 public:
  explicit Blocks(const mesh::Forest<D>& forest, int width = n_ghosts,
                  const field::JoinRule& rule = {})
      : pools_(field::LevelField<D>::array_pools(forest.geometry.block_cells(), width, n_components,
                                                 rule)) {
    for (int l = 0; l < forest.n_levels(); ++l) {
      const auto& keys = forest.level(l).keys;
      field::LevelField<D> nothing;
      const auto joined = field::find_joined<D>(keys, l + 1 == forest.n_levels(),
                                                forest.geometry.block_cells(), rule);
      cells_.emplace_back(forest.geometry, keys, width, n_components, pools_, nothing, joined);
      saved_.emplace_back(forest.geometry, keys, 0, n_components, pools_[0]);
    }
  }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  const field::LevelField<D>& cells(int level) const {
    return cells_[static_cast<std::size_t>(level)];
  }
  /// Of how many blocks there are arrays.
  std::set<std::size_t> array_sizes() const {
    std::set<std::size_t> sizes;
    for (const auto& level : cells_)
      for (std::size_t b = 0; b < level.size(); ++b)
        if (const std::size_t n = level.n_in_array(b); n > 0) sizes.insert(n);
    return sizes;
  }
  /// Set all cells to NaN, then those inside blocks to value(level, cell, component), and the saved
  /// ones to before(level, cell, component).
  template <class Value, class Before>
  void fill(const Value& value, const Before& before) {
    for (const auto& level : cells_)
      for (std::size_t b = 0; b < level.size(); ++b)
        for (int c = 0; c < n_components; ++c)
          for_each(level.view(b).box(), [&](const Index<D>& i) {
            level.view(b)[c, i] = std::numeric_limits<double>::quiet_NaN();
          });
    for (std::size_t l = 0; l < cells_.size(); ++l) {
      const int level = static_cast<int>(l);
      for (std::size_t b = 0; b < cells_[l].size(); ++b)
        for (int c = 0; c < n_components; ++c) {
          const auto& view = cells_[l].view(b);
          for_each(saved_[l].view(b).box(), [&](const Index<D>& i) {
            view[c, i] = value(level, i, c);
            saved_[l].view(b)[c, i] = before(level, i, c);
          });
        }
    }
  }
  /// The data of one level in a recording.
  LevelData<D> bind(flow::Recorder& recorder, int level) const {
    const auto l = static_cast<std::size_t>(level);
    LevelData<D> data{level, {}};
    for (std::size_t b = 0; b < cells_[l].size(); ++b)
      data.blocks.push_back({.key = cells_[l].keys()[b],
                             .valid = saved_[l].view(b).box(),
                             .cells = cells_[l].view(b),
                             .interior = recorder.datum("interior"),
                             .ghosts = recorder.datum("ghosts"),
                             .saved = SavedState<D>{saved_[l].view(b), recorder.datum("saved")}});
    for (const auto& [first, n, array] : cells_[l].joined()) data.join(first, n, array, {});
    return data;
  }

 private:
  std::vector<field::BlockPool> pools_;
  std::vector<field::LevelField<D>> cells_;
  std::vector<field::LevelField<D>> saved_;
};

/// Walls of both kinds where an axis is not periodic.
template <int D>
numerics::Boundaries<D> boundaries(const mesh::Geometry<D>& geometry) {
  numerics::Boundaries<D> kinds;
  for (int a = 0; a < D; ++a)
    for (const int side : {0, 1})
      kinds[static_cast<std::size_t>(2 * a + side)] =
          geometry.is_periodic(a) ? numerics::Boundary::periodic
          : (a + side) % 2 == 0   ? numerics::Boundary::outflow
                                  : numerics::Boundary::reflecting;
  return kinds;
}

/// One fine cell interpolated from the coarser level, by itself: coarse(level, cell, component) of
/// the cells around.
template <int D, class Coarse>
typename Tracers<D>::State prolonged(const mesh::Geometry<D>& geometry, int level,
                                     const Index<D>& cell, const Coarse& coarse,
                                     const numerics::Prolongation& rule = {}) {
  const Index<D> centre = floor_div(cell, geometry.ratio(level - 1));
  const Box<D> around = Box<D>{centre, centre + Index<D>::filled(1)}.grown(rule.reach());
  std::vector<double> values(View<double, D>::size_of(around, n_components));
  const View<double, D> view(values.data(), around, n_components);
  for_each(around, [&](const Index<D>& i) {
    const auto inside = wrapped(geometry, level - 1, i);
    for (int c = 0; c < n_components; ++c)
      view[c, i] =
          inside ? coarse(level - 1, *inside, c) : std::numeric_limits<double>::quiet_NaN();
  });
  const Tracers<D> system;
  numerics::fill_boundaries(system, view, geometry.domain_cells(level - 1), boundaries(geometry));
  const Box<D> just_here{cell, cell + Index<D>::filled(1)};
  std::array<double, n_components> to;
  numerics::prolong(system, rule, view, View<double, D>(to.data(), just_here, n_components),
                    just_here, geometry.ratio(level - 1));
  return {to[0], to[1]};
}

}  // namespace thalweg::exchange::testing
