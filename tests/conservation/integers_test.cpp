// SPDX-License-Identifier: MIT
// With fluxes that are integers, and steps and cells that are powers of two, nothing is rounded:
// what subcycling, reflux, restriction and regridding do to a sum must then be nothing at all.
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/simulation.hpp>
#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/hash.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/flow/picker.hpp>
#include <thalweg/io/file_system.hpp>

#include "../../libs/app/test/made.hpp"
#include "../support/dimensions.hpp"

namespace thalweg::testing {
namespace {

/// An amount that moves as it likes, in whole portions.
template <int D>
struct Portions {
  static constexpr int dim = D;
  static constexpr int n_components = 1;
  struct State {
    double q;
  };
  using Primitive = State;

  Primitive to_primitive(State u) const { return u; }
  State to_conserved(Primitive w) const { return w; }
  State flux(Primitive w, int axis) const { return {std::floor(w.q) + axis}; }
  numerics::Speeds riemann_speeds(Primitive, Primitive, int) const { return {-1.0, 1.0}; }
  double max_speed(Primitive, int) const { return 1.0; }
  bool admissible(State) const { return true; }
  bool passes_floor(State, Primitive) const { return true; }
  State mirror(State u, int) const { return u; }
};

/// From -8 to 8 portions, different for any two states.
struct AnyInteger {
  template <class Gas>
  static typename Gas::State flux(const Gas&, typename Gas::Primitive l, typename Gas::Primitive r,
                                  int axis) {
    const auto h = hash_number(
        std::bit_cast<std::uint64_t>(l.q),
        hash_number(std::bit_cast<std::uint64_t>(r.q), static_cast<std::uint64_t>(axis)));
    return {static_cast<double>(h % 17) - 8.0};
  }
};

template <int D>
using Whole = numerics::Vl2<Portions<D>, numerics::PlmVanLeer, AnyInteger>;

/// Random portions in a periodic box; refined in single cells here and there, elsewhere each time.
template <int D>
app::Problem<Whole<D>> random_portions() {
  return {.scheme = {},
          .initial =
              [](const numerics::CellContext<D>& cell) {
                std::uint64_t h = 1;
                for (const double x : cell.centre.at)
                  h = hash_number(std::bit_cast<std::uint64_t>(x), h);
                return typename Whole<D>::State{static_cast<double>(h % 4096)};
              },
          .boundaries = {},  // periodic
          .tag =
              [](const step::LevelContext<D>&, const View<const double, D>& cells,
                 const Box<D>& valid, const View<std::uint8_t, D>& tags) {
                const std::int64_t one_in = 2 * valid.n_cells() + 1;
                for_each(valid, [&](const Index<D>& i) {
                  tags[0, i] = static_cast<std::int64_t>(std::floor(cells[0, i])) % one_in == 7;
                });
              },
          .fields = {{.name = "q"}}};
}

struct Run {
  double before = 0;
  double after = 0;
  std::uint64_t n_mesh_changes = 0;
  int n_levels = 0;
};

// Three levels of both ratios in 3-D have many cells: few steps, with a regrid after each.
template <int D>
bool is_large(const mesh::Ratios& ratio) {
  return D == 3 && ratio.count() > 1;
}

template <int D>
Run run(const mesh::Ratios& ratio, int n_ranks, std::uint64_t seed = 5, bool subcycle = true) {
  const int n_steps = is_large<D>(ratio) || n_ranks > 3 ? 7 : 20;
  Index<D> block_cells;  // cells of level 0 must be powers of two wide
  for (int a = 0; a < D; ++a) block_cells[a] = n_ranks == 1 || a != 1 ? 8 : 16;
  const app::Settings<D> settings{.mesh = {.root_blocks = Index<D>::filled(D == 3 ? 2 : 4),
                                           .block_cells = block_cells,
                                           .ratio = ratio,
                                           .max_level = ratio == 4 ? 1 : 2},
                                  .time = {.max_steps = n_steps,
                                           .cfl = 0.25,  // dt/dx = 1/4
                                           .subcycle = subcycle},
                                  .regrid_interval = n_steps < 20 ? 1 : 2,
                                  .regrid_buffer = 1};
  Run result;
  comm::SimNetwork network({.n_ranks = n_ranks, .seed = seed});
  io::MemoryFileSystem files;
  const auto done = network.run([&](flow::Transport& transport) {
    flow::UniformPicker picker(hash_number(transport.rank()(), seed));
    Logger log(nullptr, transport.rank());
    const app::Context context{
        transport, network.clock(), files, log, {.executor = {.picker = &picker}}};
    const auto simulation = app::testing::made(context, random_portions<D>(), settings);
    Run mine;
    mine.before = simulation->totals()[0];
    const auto revision = simulation->mesh().forest.revision;
    const auto advanced = simulation->advance_to(n_steps);
    EXPECT_TRUE(advanced) << advanced.error().message;
    mine.after = simulation->totals()[0];
    mine.n_mesh_changes = simulation->mesh().forest.revision - revision;
    mine.n_levels = simulation->mesh().n_levels();
    if (transport.rank() == Rank{0}) result = mine;
  });
  EXPECT_TRUE(done) << done.error().message;
  return result;
}

template <class Dimension>
class IntegerFluxes : public ::testing::Test {};
TYPED_TEST_SUITE(IntegerFluxes, Dimensions);

void expect_nothing_lost(const Run& done) {
  EXPECT_GT(done.before, 1000);
  EXPECT_EQ(done.after, done.before);
  EXPECT_GE(done.n_mesh_changes, 5u);
  EXPECT_GE(done.n_levels, 2);
}

template <int D>
void expect_nothing_lost(const mesh::Ratios& ratio) {
  for (const int n_ranks : {1, 3}) {
    if (is_large<D>(ratio) && n_ranks == 1) continue;
    SCOPED_TRACE(::testing::Message() << "ratio " << ratio.text() << ", " << n_ranks << " ranks");
    expect_nothing_lost(run<D>(ratio, n_ranks));
  }
}

TYPED_TEST(IntegerFluxes, change_no_sum_at_all_at_ratio_2) {
  expect_nothing_lost<TypeParam::value>(2);
}

TYPED_TEST(IntegerFluxes, change_no_sum_at_all_at_ratio_4) {
  expect_nothing_lost<TypeParam::value>(4);
}

TYPED_TEST(IntegerFluxes, change_no_sum_at_all_at_ratio_2_then_4) {
  expect_nothing_lost<TypeParam::value>({2, 4});
}

TYPED_TEST(IntegerFluxes, change_no_sum_at_all_at_ratio_4_then_2) {
  expect_nothing_lost<TypeParam::value>({4, 2});
}

TYPED_TEST(IntegerFluxes, change_no_sum_at_all_without_subcycling) {
  for (const mesh::Ratios& ratio : {mesh::Ratios(2), mesh::Ratios({2, 4})}) {
    if (is_large<TypeParam::value>(ratio)) continue;
    SCOPED_TRACE(::testing::Message() << "ratio " << ratio.text());
    expect_nothing_lost(run<TypeParam::value>(ratio, 3, 5, false));
  }
}

// There are 4, 16 and 8 blocks of level 0.
TYPED_TEST(IntegerFluxes, change_no_sum_at_all_on_64_ranks_of_which_most_have_no_block_of_level_0) {
  for (const int ratio : {2, 4}) {
    SCOPED_TRACE(::testing::Message() << "ratio " << ratio);
    const auto seed = static_cast<std::uint64_t>(ratio / 2);  // another schedule for each
    expect_nothing_lost(run<TypeParam::value>(ratio, 64, seed));
  }
}

}  // namespace
}  // namespace thalweg::testing
