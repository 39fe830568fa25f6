// SPDX-License-Identifier: MIT
#include <thalweg/numerics/update_ctu.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>
#include <thalweg/numerics/ctu.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>

#include "advection.hpp"
#include "owned.hpp"
#include "round_trip.hpp"

namespace thalweg::numerics {
namespace {

// What holds for any system; the gas is tested in apps/hydro.

template <int D, class Rule = PpmClassic>
using CtuAdvection = Ctu<test::Advection<D>, Rule, RiemannHlle>;

static_assert(BlockScheme<CtuAdvection<3>>);
static_assert(CtuAdvection<3>{}.max_courant() == 1);

/// Step a random field with a Courant number of one along all axes.
template <int D>
void expect_shift_along_the_diagonal(const Vec<D>& velocity) {
  using S = CtuAdvection<D>;
  const S scheme{{.velocity = velocity}};
  const Box<D> valid = Box<D>::cube(5).shifted(Index<D>::filled(-2));
  test::Owned<D> u(valid.grown(S::n_ghosts), 1), before(valid.grown(S::n_ghosts), 1);
  SplitMix64 random(11);
  // So little noise that no flux is limited.
  u.fill([&](int, const Index<D>&) { return 2.0 + 0.1 * random.uniform(); });
  before.fill([&](int, const Index<D>& i) { return u[0, i]; });
  std::vector<std::byte> scratch(S{}.scratch_bytes(valid));

  const auto report = scheme.update_stage(0, u(), {}, valid, {0.5, Vec<D>::filled(0.5)}, scratch);

  EXPECT_EQ(report.fallbacks, Fallbacks{});
  for_each(valid, [&](const Index<D>& i) {
    Index<D> from = i;
    for (int a = 0; a < D; ++a) from[a] -= velocity[a] > 0 ? 1 : -1;
    EXPECT_NEAR((u[0, i]), (before[0, from]), 1e-14);
  });
}

TEST(UpdateCtu, moves_a_field_by_a_cell_through_the_corners) {
  // The name of the scheme: with share 1 of each cell traced, only the corner coupling with its
  // weights of 1/3 and 1/2 makes this exact.
  for (const double x : {1.0, -1.0}) {
    expect_shift_along_the_diagonal<1>({{x}});
    for (const double y : {1.0, -1.0}) {
      expect_shift_along_the_diagonal<2>({{x, y}});
      for (const double z : {1.0, -1.0}) expect_shift_along_the_diagonal<3>({{x, y, z}});
    }
  }
}

TEST(UpdateCtu, converges_with_the_order_of_the_reconstruction) {
  const auto order = []<class Rule>(Rule) {
    return std::log2(test::error_of_round_trip<CtuAdvection<1, Rule>>(32) /
                     test::error_of_round_trip<CtuAdvection<1, Rule>>(64));
  };
  EXPECT_NEAR(order(DonorCell{}), 1.0, 0.15);
  EXPECT_NEAR(order(PlmVanLeer{}), 2.0, 0.2);
  EXPECT_NEAR(order(PpmClassic{}), 2.3, 0.3);  // clipped at the crests
  EXPECT_NEAR(order(PpmExtrema{}), 3.0, 0.2);  // parabolas, exactly traced
}

TEST(UpdateCtu, reports_the_fluxes_that_changed_the_cells) {
  using S = CtuAdvection<3>;
  const Box<3> valid{{{3, -2, 0}}, {{9, 5, 4}}};
  test::Owned<3> u(valid.grown(S::n_ghosts), 1), before(valid.grown(S::n_ghosts), 1);
  const auto field = [](int, const Index<3>& i) { return 2 + std::sin(i[0] + 2.0 * i[1] - i[2]); };
  u.fill(field);
  before.fill(field);
  const S scheme{};
  std::vector<std::byte> scratch(scheme.scratch_bytes(valid));
  const StepSize<3> step{0.1, {{0.5, 0.25, 1.0}}};

  const StepReport<3> report = scheme.update_stage(0, u(), {}, valid, step, scratch);

  EXPECT_FALSE(report.inadmissible);
  for (std::size_t a = 0; a < 3; ++a)
    EXPECT_EQ(report.flux[a].box(), faces_of(valid, static_cast<int>(a)));
  for_each(valid, [&](const Index<3>& i) {
    double expected = before[0, i];
    for (int a = 0; a < 3; ++a) {
      const auto& flux = report.flux[static_cast<std::size_t>(a)];
      expected -= step.dt / step.dx[a] * (flux[0, i + Index<3>::unit(a)] - flux[0, i]);
    }
    EXPECT_EQ((u[0, i]), expected);
  });
}

/// A block gives the same bits wherever it lies: planes are kept in turns by their numbers.
template <int D>
void expect_same_bits_elsewhere() {
  using S = CtuAdvection<D>;
  const auto update = [](const Index<D>& at) {
    const Box<D> valid = Box<D>::cube(6).shifted(at);
    test::Owned<D> u(valid.grown(S::n_ghosts), 1);
    u.fill([&](int, const Index<D>& i) {
      double number = 1;
      for (int a = 0; a < D; ++a) number += std::sin((a + 1.7) * (i[a] - at[a]));
      return 10 + number;
    });
    std::vector<std::byte> scratch(S{}.scratch_bytes(valid));
    S{}.update_stage(0, u(), {}, valid, {0.1, Vec<D>::filled(1.0)}, scratch);
    std::vector<double> after;
    for_each(valid, [&](const Index<D>& i) { after.push_back(u[0, i]); });
    return after;
  };
  const auto here = update({});
  EXPECT_EQ(here, update(Index<D>::filled(1)));
  EXPECT_EQ(here, update(Index<D>::filled(-13)));
}

TEST(UpdateCtu, gives_the_same_bits_wherever_a_block_lies) {
  expect_same_bits_elsewhere<1>();
  expect_same_bits_elsewhere<2>();
  expect_same_bits_elsewhere<3>();
}

TEST(UpdateCtu, names_the_first_inadmissible_cell_in_three_dimensions) {
  using S = CtuAdvection<3>;
  const Box<3> valid = Box<3>::cube(8);
  test::Owned<3> u(valid.grown(S::n_ghosts), 1);
  u.fill([](int, const Index<3>& i) {
    const bool is_bad =
        i == Index<3>{{2, 3, 4}} || i == Index<3>{{1, 4, 4}} || i == Index<3>{{0, 0, 5}};
    return is_bad ? -1.0 : 1.0;
  });
  std::vector<std::byte> scratch(S{}.scratch_bytes(valid));

  const auto report = S{}.update_stage(0, u(), {}, valid, {1e-6, {{1.0, 1.0, 1.0}}}, scratch);

  ASSERT_TRUE(report.inadmissible);
  EXPECT_EQ(*report.inadmissible, (Index<3>{{2, 3, 4}}));
}

TEST(UpdateCtu, names_the_first_inadmissible_cell) {
  using S = CtuAdvection<1>;
  const Box<1> valid = Box<1>::cube(8);
  test::Owned<1> u(valid.grown(S::n_ghosts), 1);
  u.fill([](int, const Index<1>& i) { return i[0] == 5 || i[0] == 6 ? -1.0 : 1.0; });
  std::vector<std::byte> scratch(S{}.scratch_bytes(valid));

  const auto report = S{}.update_stage(0, u(), {}, valid, {1e-6, {{1.0}}}, scratch);

  ASSERT_TRUE(report.inadmissible);
  EXPECT_EQ(*report.inadmissible, (Index<1>{{5}}));
}

}  // namespace
}  // namespace thalweg::numerics
