// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/points.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/exchange/emit/testing/blocks.hpp>

namespace thalweg::exchange {
namespace {

using mesh::testing::Case;
using testing::on_virtual_ranks;
using testing::VirtualRank;

constexpr int width = 2;  // of the ghosts

/// A value for each point of each level: random, or linear in space so that it is met exactly.
template <int D>
struct PointValues {
  const mesh::Geometry<D>& geometry;
  Centring<D> centring;
  bool is_linear;

  double operator()(int level, Index<D> point) const {
    if (is_linear) {
      double value = 1;
      const auto parts = static_cast<double>(geometry.ratio_to_root(level));
      for (int a = 0; a < D; ++a)
        value += (a - 1.5) * (2 * point[a] + (centring.between[a] ? 0 : 1)) / parts;
      return value;
    }
    const Index<D> n = geometry.domain_cells(level).hi;
    for (int a = 0; a < D; ++a)
      if (geometry.is_periodic(a)) point[a] = (point[a] + 4 * n[a]) % n[a];
    return testing::random_value(level, point, 0, 3);
  }
};

/// Whole levels: who has what, and what must be at each point. Nothing of plans.
template <int D>
class PointOracle {
 public:
  PointOracle(const mesh::Geometry<D>& geometry, const std::set<mesh::Key<D>>& keys,
              const PointValues<D>& values)
      : geometry_(geometry), keys_(keys), values_(values), kinds_(testing::boundaries(geometry)) {}

  bool has(int level, const Index<D>& point) const {
    bool found = false;
    for_each_cell(point, [&](const Index<D>& cell) {
      const auto inside = testing::wrapped(geometry_, level, cell);
      found = found || (inside && keys_.contains(testing::holder(geometry_, level, *inside)));
    });
    return found;
  }
  bool is_inside(int level, const Index<D>& point) const {
    return centring().points(extended(level)).contains(point);
  }
  /// Where a value outside the domain is mirrored from, axis by axis, and with which factor.
  std::pair<Index<D>, double> image(int level, Index<D> point) const {
    const Box<D> n = centring().points(geometry_.domain_cells(level));
    double factor = 1;
    for (int a = 0; a < D; ++a) {
      if (geometry_.is_periodic(a) || (point[a] >= n.lo[a] && point[a] < n.hi[a])) continue;
      const int side = point[a] < 0 ? 0 : 1;
      const int last = side == 0 ? 0 : n.hi[a] - 1;
      if (kinds_[static_cast<std::size_t>(2 * a + side)] == numerics::Boundary::outflow) {
        point[a] = last;
      } else {
        point[a] = 2 * last - point[a] + (centring().between[a] ? 0 : 2 * side - 1);
        if (centring() == Centring<D>::face(a)) factor = -factor;
      }
    }
    return {point, factor};
  }
  double expected(int level, const Index<D>& point) const {
    if (has(level, point)) return values_(level, point);
    const Box<D> just_here{point, point + Index<D>::filled(1)};
    const Box<D> around = centring().coarsened(just_here, geometry_.ratio(level - 1), 1);
    std::vector<double> numbers(View<double, D>::size_of(around, 1));
    const View<double, D> coarse(numbers.data(), around, 1);
    for_each(around, [&](const Index<D>& i) {
      const auto [at, factor] = image(level - 1, i);
      coarse[0, i] = factor * values_(level - 1, at);
    });
    double value = 0;
    numerics::prolong_points<D>(centring(), coarse, View<double, D>(&value, just_here, 1),
                                just_here, geometry_.ratio(level - 1));
    return value;
  }
  /// Whether interpolation there looks across an end of the domain, where no plane goes on.
  bool looks_across(int level, const Index<D>& point) const {
    const Box<D> around =
        centring().coarsened({point, point + Index<D>::filled(1)}, geometry_.ratio(level - 1), 1);
    return !centring().points(geometry_.domain_cells(level - 1)).contains(around);
  }

 private:
  const Centring<D>& centring() const { return values_.centring; }
  template <class F>
  void for_each_cell(const Index<D>& point, F&& f) const {
    for_each(Box<D>::cube(2), [&](const Index<D>& below) {
      for (int a = 0; a < D; ++a)
        if (below[a] != 0 && !centring().between[a]) return;
      f(point - below);
    });
  }
  Box<D> extended(int level) const {
    Box<D> cells = geometry_.domain_cells(level);
    for (int a = 0; a < D; ++a)
      if (geometry_.is_periodic(a)) cells = cells.grown(a, 4 * cells.hi[a]);
    return cells;
  }

  const mesh::Geometry<D>& geometry_;
  const std::set<mesh::Key<D>>& keys_;
  const PointValues<D>& values_;
  numerics::Boundaries<D> kinds_;
};

/// The points of all blocks of one rank.
template <int D>
class PointBlocks {
 public:
  PointBlocks(const mesh::Forest<D>& forest, const Centring<D>& centring)
      : geometry_(forest.geometry),
        centring_(centring),
        pool_(field::LevelField<D>::block_size(geometry_.block_cells(), width, 1, centring)) {
    for (const auto& set : forest.levels)
      levels_.emplace_back(geometry_, set.keys, width, 1, pool_, centring);
  }

  const field::LevelField<D>& level(int l) const { return levels_[static_cast<std::size_t>(l)]; }
  LevelData<D> bind(flow::Recorder& recorder, int l) const {
    return bind_points(recorder, geometry_, l, level(l), centring_, 1);
  }
  /// Set the points that a block owns to value(level, point), and all others to NaN.
  template <class Plan, class Value>
  void set_owned(int l, const Plan& ghosts_of, const Value& value) {
    for (std::size_t b = 0; b < level(l).size(); ++b) {
      const auto& view = level(l).view(b);
      const Box<D> points = centring_.points(geometry_.cells(level(l).keys()[b]));
      for_each(view.box(), [&](const Index<D>& i) {
        view[0, i] = points.contains(i) ? value(l, i) : std::numeric_limits<double>::quiet_NaN();
      });
      ghosts_of(level(l).keys()[b], [&](const Box<D>& region) {
        for_each(region,
                 [&](const Index<D>& i) { view[0, i] = std::numeric_limits<double>::quiet_NaN(); });
      });
    }
  }

 private:
  mesh::Geometry<D> geometry_;
  Centring<D> centring_;
  field::BlockPool pool_;
  std::vector<field::LevelField<D>> levels_;
};

/// Calls f with what a plan says others own of a block.
template <int D>
auto taken_by(const GhostPlan<D>& plan) {
  return [&plan](const mesh::Key<D>& key, const auto& f) {
    for (const auto& copy : plan.transfers.locals)
      if (copy.dst == key) f(copy.region);
    for (const auto& message : plan.transfers.recvs)
      for (const auto& copy : message.copies)
        if (copy.dst == key) f(copy.region);
  };
}

/// Fill the ghosts of each level of a random forest, whose owners alone have values; expect all
/// others to be right to the bit.
/// @return how many were interpolated
template <int D>
std::int64_t expect_filled(const Case<D>& c, const Centring<D>& centring, int n_ranks,
                           bool is_linear) {
  SCOPED_TRACE(::testing::Message() << c << ", " << n_ranks << " ranks");
  const auto keys = testing::keys_of(c);
  std::int64_t n_wrong = 0;
  std::int64_t n_prolonged = 0;
  on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
    const auto forest = mesh::testing::random_forest(c, self.rank(), n_ranks, self.collectives());
    const auto neighbours = mesh::find_neighbour_info(forest, self.collectives());
    const auto& geometry = forest.geometry;
    const PointBoundaryContext<D> boundary{geometry, testing::boundaries(geometry), centring};
    const PointValues<D> values{geometry, centring, is_linear};
    const PointOracle<D> oracle(geometry, keys, values);
    PointBlocks<D> blocks(forest, centring);
    std::vector<GhostPlan<D>> plans;
    for (int l = 0; l < forest.n_levels(); ++l) {
      plans.push_back(plan_ghost_points(forest, neighbours, centring, {l, width, 2}));
      blocks.set_owned(l, taken_by(plans.back()), values);
    }

    for (int l = 0; l < forest.n_levels(); ++l) {
      auto recorder = self.recorder();
      const auto level = blocks.bind(recorder, l);
      const auto coarser = blocks.bind(recorder, std::max(0, l - 1));
      std::optional<CoarsePlan<D>> plan;
      std::optional<CoarserLevel<D>> source;
      if (l > 0) {
        plan = plan_coarse_ghost_points(forest, neighbours, centring, {l, width, 2});
        source.emplace(coarser, *plan);
      }
      emit_fill(recorder, boundary, level, plans[static_cast<std::size_t>(l)], source);
      self.run(std::move(recorder));
    }

    for (int l = 0; l < forest.n_levels(); ++l)
      for (std::size_t b = 0; b < blocks.level(l).size(); ++b) {
        const auto& view = blocks.level(l).view(b);
        for_each(view.box(), [&](const Index<D>& i) {
          const auto [inside, factor] = oracle.image(l, i);
          if (!oracle.is_inside(l, i)) {
            n_wrong += !(view[0, i] == factor * view[0, inside]);
            return;
          }
          const bool is_prolonged = !oracle.has(l, i);
          n_prolonged += is_prolonged;
          if (is_linear && is_prolonged && oracle.looks_across(l, i)) return;
          n_wrong += view[0, i] != (is_linear ? values(l, i) : oracle.expected(l, i));
        });
      }
  });
  EXPECT_EQ(n_wrong, 0);
  return n_prolonged;
}

template <int D>
void expect_filled(const std::vector<Centring<D>>& centrings) {
  std::int64_t n_prolonged = 0;
  std::int64_t n_linear = 0;
  for (const auto& centring : centrings)
    for (auto c : testing::few_cases<D>()) {
      for (const int n_ranks : {1, 3}) n_prolonged += expect_filled(c, centring, n_ranks, false);
      c.geometry.periodic = {};  // where the domain wraps no plane goes on
      n_linear += expect_filled(c, centring, 2, true);
    }
  EXPECT_GT(n_prolonged, 0);
  EXPECT_GT(n_linear, 0);
}

TEST(EmitPoints, fill_all_ghosts_with_the_bits_of_one_point_at_a_time_1d) {
  expect_filled<1>({Centring<1>::node()});
}
TEST(EmitPoints, fill_all_ghosts_with_the_bits_of_one_point_at_a_time_2d) {
  expect_filled<2>({Centring<2>::node(), Centring<2>::face(0), Centring<2>::face(1)});
}
TEST(EmitPoints, fill_all_ghosts_with_the_bits_of_one_point_at_a_time_3d) {
  expect_filled<3>({Centring<3>::node(), Centring<3>::face(0), Centring<3>::face(2)});
}

// More ranks than blocks on some levels: those without blocks have nothing to say.
TEST(EmitPoints, fill_where_some_ranks_have_no_block) {
  Case<2> c = testing::few_cases<2>()[1];
  c.partitioner = mesh::Partitioner::round_robin;
  expect_filled(c, Centring<2>::node(), 40, false);
}

/// Restrict random values, all levels in one graph; expect every coarse owner's point that lies on
/// a fine one to be the node there, or the mean of the faces on it, as restricted themselves.
/// @return how many there were
template <int D>
std::int64_t expect_restricted(const Case<D>& c, const Centring<D>& centring, int n_ranks) {
  SCOPED_TRACE(::testing::Message() << c << ", " << n_ranks << " ranks");
  const auto keys = testing::keys_of(c);
  std::int64_t n_wrong = 0;
  std::int64_t n_restricted = 0;
  on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
    const auto forest = mesh::testing::random_forest(c, self.rank(), n_ranks, self.collectives());
    const auto neighbours = mesh::find_neighbour_info(forest, self.collectives());
    const auto& geometry = forest.geometry;
    const PointValues<D> values{geometry, centring, false};
    const PointOracle<D> oracle(geometry, keys, values);
    PointBlocks<D> blocks(forest, centring);
    for (int l = 0; l < forest.n_levels(); ++l)
      blocks.set_owned(l, taken_by(plan_ghost_points(forest, neighbours, centring, {l, width, 2})),
                       values);
    // In one graph: each level waits for what the finer one gives it.
    auto recorder = self.recorder();
    std::vector<LevelData<D>> levels;
    for (int l = 0; l < forest.n_levels(); ++l) levels.push_back(blocks.bind(recorder, l));
    for (int l = forest.n_levels() - 1; l > 0; --l) {
      const auto plan = plan_restrict_points(forest, neighbours, centring, {l, width, 2});
      const auto& fine = levels[static_cast<std::size_t>(l)];
      const auto& coarse = levels[static_cast<std::size_t>(l - 1)];
      emit_restrict_points(recorder, centring, fine, coarse, plan, geometry.ratio(l - 1));
    }
    self.run(std::move(recorder));

    const auto is_restricted = [&](int l, const Index<D>& i) {
      return l + 1 < forest.n_levels() && oracle.has(l + 1, i * geometry.ratio(l));
    };
    const std::function<double(int, const Index<D>&)> expected = [&](int l, const Index<D>& i) {
      if (!is_restricted(l, i)) return values(l, i);
      Box<D> parts = Box<D>::cube(geometry.ratio(l));
      for (int a = 0; a < D; ++a)
        if (centring.between[a]) parts.hi[a] = 1;
      double sum = 0;
      for_each(parts,
               [&](const Index<D>& part) { sum += expected(l + 1, i * geometry.ratio(l) + part); });
      return sum / static_cast<double>(parts.n_cells());
    };
    for (int l = 0; l < forest.n_levels(); ++l)
      for (std::size_t b = 0; b < blocks.level(l).size(); ++b)
        for_each(blocks.level(l).view(b).box(), [&](const Index<D>& i) {
          const double value = blocks.level(l).view(b)[0, i];
          if (std::isnan(value)) return;  // not the owner's
          n_restricted += is_restricted(l, i);
          n_wrong += std::abs(value - expected(l, i)) > (is_restricted(l, i) ? 1e-14 : 0.0);
        });
  });
  EXPECT_EQ(n_wrong, 0);
  return n_restricted;
}

TEST(EmitPoints, restrict_to_the_owners_of_coarse_points) {
  std::int64_t n_restricted = 0;
  for (const int n_ranks : {1, 3}) {
    for (const auto& c : testing::few_cases<2>()) {
      n_restricted += expect_restricted(c, Centring<2>::node(), n_ranks);
      n_restricted += expect_restricted(c, Centring<2>::face(1), n_ranks);
    }
    for (const auto& c : testing::few_cases<3>())
      n_restricted += expect_restricted(c, Centring<3>::face(0), n_ranks);
  }
  EXPECT_GT(n_restricted, 0);
}

TEST(BindPoints, gives_each_block_data_of_its_own_and_a_home) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    const auto forest = mesh::testing::random_forest(mesh::testing::cases<2>()[1], self.rank(), 1,
                                                     self.collectives());
    const auto centring = Centring<2>::face(1);
    const PointBlocks<2> blocks(forest, centring);
    auto recorder = self.recorder();
    const auto level = bind_points(recorder, forest.geometry, 1, blocks.level(1), centring, 2);

    EXPECT_EQ(level.level, 1);
    ASSERT_EQ(level.blocks.size(), blocks.level(1).size());
    std::set<std::uint32_t> data;
    std::size_t n_of_first_worker = 0;
    std::uint32_t home_before = 0;
    for (std::size_t b = 0; b < level.blocks.size(); ++b) {
      const auto& block = level.blocks[b];
      EXPECT_EQ(block.key, blocks.level(1).keys()[b]);
      EXPECT_EQ(block.cells.data(), blocks.level(1).view(b).data());
      EXPECT_EQ(block.valid, centring.points(forest.geometry.cells(block.key)));
      EXPECT_GE(block.preferred_worker, home_before);
      home_before = block.preferred_worker;
      n_of_first_worker += block.preferred_worker == 0;
      data.insert({block.interior(), block.ghosts()});
    }
    EXPECT_EQ(data.size(), 2 * level.blocks.size());
    EXPECT_EQ(n_of_first_worker, (level.blocks.size() + 1) / 2);
    EXPECT_EQ(home_before, 1u);
  });
}

}  // namespace
}  // namespace thalweg::exchange
