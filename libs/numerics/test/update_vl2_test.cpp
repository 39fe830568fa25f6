// SPDX-License-Identifier: MIT
#include <thalweg/numerics/update_vl2.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/numerics/riemann_hlle.hpp>

#include "advection.hpp"
#include "owned.hpp"
#include "round_trip.hpp"

namespace thalweg::numerics {
namespace {

// What holds for any system; the gas is tested in apps/hydro.

template <int D, class Rule>
using Vl2Advection = Vl2<test::Advection<D>, Rule, RiemannHlle>;

TEST(UpdateVl2, converges_with_the_order_of_the_reconstruction) {
  const double first = std::log2(test::error_of_round_trip<Vl2Advection<1, DonorCell>>(128) /
                                 test::error_of_round_trip<Vl2Advection<1, DonorCell>>(256));
  const double second = std::log2(test::error_of_round_trip<Vl2Advection<1, PlmVanLeer>>(64) /
                                  test::error_of_round_trip<Vl2Advection<1, PlmVanLeer>>(128));

  EXPECT_GT(first, 0.85);
  EXPECT_LT(first, 1.1);
  EXPECT_GT(second, 1.8);
  EXPECT_LT(second, 2.3);
}

TEST(UpdateVl2, goes_half_a_step_with_donor_cell_fluxes_first) {
  using S = Vl2Advection<3, PlmVanLeer>;
  const S scheme{{.velocity = {{0.5, -2.0, 1.0}}}};
  const Box<3> valid{{{3, -2, 1}}, {{8, 1, 5}}};
  test::Owned<3> u(valid.grown(S::n_ghosts), 1), before(valid.grown(S::n_ghosts), 1);
  const auto field = [](int, const Index<3>& i) {
    return 2.0 + std::sin(i[0] + 2.0 * i[1] - 0.7 * i[2]);
  };
  u.fill(field);
  before.fill(field);
  std::vector<std::byte> scratch(scheme.scratch_bytes(valid));
  const StepSize<3> step{0.1, {{0.5, 0.25, 1.0}}};

  const auto report = scheme.update_stage(0, u(), {}, valid, step, scratch);

  EXPECT_FALSE(report.inadmissible);
  EXPECT_EQ(report.fallbacks, Fallbacks{});
  for_each(valid, [&](const Index<3>& i) {
    double expected = before[0, i];
    for (int a = 0; a < 3; ++a) {
      const double v = scheme.system.velocity[a];
      const Index<3> from = v > 0 ? i - Index<3>::unit(a) : i + Index<3>::unit(a);
      expected -= 0.5 * step.dt / step.dx[a] * std::abs(v) * (before[0, i] - before[0, from]);
    }
    EXPECT_NEAR((u[0, i]), expected, 1e-15);
  });
}

TEST(UpdateVl2, leaves_a_state_as_it_was_where_half_a_step_would_make_it_inadmissible) {
  using S = Vl2Advection<1, PlmVanLeer>;
  const Box<1> valid = Box<1>::cube(8);
  test::Owned<1> u(valid.grown(S::n_ghosts), 1);
  u.fill([](int, const Index<1>& i) { return i[0] == 5 ? 1.0 : 2.0; });
  std::vector<std::byte> scratch(S{}.scratch_bytes(valid));

  const auto report = S{}.update_stage(0, u(), {}, valid, {10.0, {{1.0}}}, scratch);

  EXPECT_FALSE(report.inadmissible);
  EXPECT_EQ(report.fallbacks, (Fallbacks{.replaced_states = 1}));
  EXPECT_EQ((u[0, {{5}}]), 1.0 + 0.5 * 10.0 * (2.0 - 1.0));
  EXPECT_EQ((u[0, {{6}}]), 2.0);  // with the fluxes -3
}

TEST(UpdateVl2, reports_the_fluxes_that_changed_the_cells) {
  using S = Vl2Advection<2, PlmVanLeer>;
  const Box<2> valid{{{3, -2}}, {{9, 5}}};
  test::Owned<2> u(valid.grown(S::n_ghosts), 1), before(valid.grown(S::n_ghosts), 1);
  u.fill([](int, const Index<2>& i) { return 2.0 + std::sin(i[0] + 2.0 * i[1] - 0.3); });
  before.fill([](int, const Index<2>& i) { return 2.0 + std::sin(i[0] + 2.0 * i[1]); });
  std::vector<std::byte> scratch(S{}.scratch_bytes(valid));
  const StepSize<2> step{0.1, {{0.5, 0.25}}};

  const StepReport<2> report = S{}.update_stage(1, u(), before(), valid, step, scratch);

  EXPECT_FALSE(report.inadmissible);
  for (std::size_t a = 0; a < 2; ++a)
    EXPECT_EQ(report.flux[a].box(), faces_of(valid, static_cast<int>(a)));
  for_each(valid, [&](const Index<2>& i) {
    double expected = before[0, i];
    for (int a = 0; a < 2; ++a) {
      const auto& flux = report.flux[static_cast<std::size_t>(a)];
      expected -= step.dt / step.dx[a] * (flux[0, i + Index<2>::unit(a)] - flux[0, i]);
    }
    EXPECT_EQ((u[0, i]), expected);
  });
}

TEST(UpdateVl2, names_the_first_inadmissible_cell) {
  using S = Vl2Advection<1, PlmVanLeer>;
  const Box<1> valid = Box<1>::cube(8);
  test::Owned<1> u(valid.grown(S::n_ghosts), 1), start(valid.grown(1), 1);
  u.fill([](int, const Index<1>&) { return 1.0; });
  start.fill([](int, const Index<1>& i) { return i[0] == 5 || i[0] == 6 ? -1.0 : 1.0; });
  std::vector<std::byte> scratch(S{}.scratch_bytes(valid));

  const auto report = S{}.update_stage(1, u(), start(), valid, {1e-6, {{1.0}}}, scratch);

  ASSERT_TRUE(report.inadmissible);
  EXPECT_EQ(*report.inadmissible, (Index<1>{{5}}));
}

TEST(UpdateVl2, limits_fluxes_only_where_a_face_state_would_go_bad) {
  using S = Vl2Advection<1, PlmVanLeer>;
  const Box<1> valid = Box<1>::cube(16);
  const auto n_limited = [&](double low) {
    test::Owned<1> u(valid.grown(S::n_ghosts), 1), start(valid.grown(S::n_ghosts), 1);
    const auto field = [&](int, const Index<1>& i) {
      return i[0] == 8 ? 1.0 : i[0] == 9 ? 0.2 : low;
    };
    u.fill(field);
    start.fill(field);
    std::vector<std::byte> scratch(S{}.scratch_bytes(valid));
    const auto report = S{}.update_stage(1, u(), start(), valid, {0.5, {{1.0}}}, scratch);
    EXPECT_FALSE(report.inadmissible);
    return report.fallbacks.limited_fluxes;
  };

  EXPECT_EQ(n_limited(0.1), 0);
  EXPECT_GT(n_limited(1e-6), 0);
}

}  // namespace
}  // namespace thalweg::numerics
