// SPDX-License-Identifier: MIT
// What a Ctu step does in shocks, against the equations of Colella and Woodward (1984).
#include <thalweg/numerics/detail/ctu_shocks.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/hydro/euler.hpp>
#include <thalweg/numerics/update_ctu.hpp>

namespace thalweg::hydro {
namespace {

using numerics::detail::share_of_shock;

TEST(ShareOfShock, grows_with_the_part_of_the_change_that_the_next_cells_have) {
  EXPECT_EQ(share_of_shock({10, 10, 5, 1, 1}, 1.0), 1.0);          // 9/9; all from 0.85 on
  EXPECT_NEAR(share_of_shock({11, 10, 5, 2, 1}, 1.0), 0.5, 1e-9);  // 8/10, between 0.75 and 0.85
  EXPECT_EQ(share_of_shock({5, 4, 3, 2, 1}, 1.0), 0.0);            // 1/2
  EXPECT_EQ(share_of_shock({1, 1, 5, 10, 10}, 1.0), 1.0);          // from either side
}

TEST(ShareOfShock, is_none_where_gas_expands_or_the_jump_is_below_a_third) {
  EXPECT_EQ(share_of_shock({10, 10, 5, 1, 1}, -1.0), 0.0);
  EXPECT_EQ(share_of_shock({1.32, 1.32, 1.1, 1, 1}, 1.0), 0.0);
  EXPECT_EQ(share_of_shock({1.34, 1.34, 1.1, 1, 1}, 1.0), 1.0);
}

/// How flat a row of cells is made, whose gas is given by their numbers.
template <class F>
std::array<double, 12> flatness_of(F gas_in) {
  constexpr int n = 12, margin = 3, stride = n + 2 * margin;
  std::vector<double> w(3 * stride);
  for (int i = -margin; i < n + margin; ++i)
    numerics::store(Euler<1>::Primitive(gas_in(i)), &w[static_cast<std::size_t>(i + margin)],
                    stride);
  std::array<double, n> flatness{};
  numerics::detail::flatten_row<0>(Euler<1>{}, n, w.data() + margin, stride, 1, flatness.data());
  return flatness;
}

/// The same of a row whose pressure falls in cell 5, from the left or the right.
std::array<double, 12> flatness_of_a_shock(bool falls_upward) {
  return flatness_of([=](int i) -> Euler<1>::Primitive {
    const int at = falls_upward ? i - 5 : 5 - i;
    const double side = falls_upward ? 1.0 : -1.0;
    return {.rho = 1,
            .vel = {{at < 0    ? side
                     : at == 0 ? 0.5 * side
                               : 0.0}},
            .p = at < 0    ? 10.0
                 : at == 0 ? 5.0
                           : 1.0};
  });
}

TEST(FlattenRow, takes_the_means_in_a_shock_and_in_the_cell_behind_it) {
  // Eq. A.2: a cell looks at itself and at its neighbour towards the lower pressure.
  std::array<double, 12> right, left;
  right.fill(1.0);
  left.fill(1.0);
  right[4] = right[5] = 0.0;
  left[5] = left[6] = 0.0;
  EXPECT_EQ(flatness_of_a_shock(true), right);
  EXPECT_EQ(flatness_of_a_shock(false), left);
}

TEST(FlattenRow, of_a_mirrored_row_is_mirrored_also_beside_cells_of_equal_pressure) {
  // A jump between two cells: beside the first of equal pressures there is a shock on one side.
  const auto jump = [](bool is_below) {
    return Euler<1>::Primitive{
        .rho = 1, .vel = {{is_below ? 1.0 : -1.0}}, .p = is_below ? 10.0 : 1.0};
  };
  const auto upward = flatness_of([&](int i) { return jump(i < 6); });
  auto downward = flatness_of([&](int i) {
    auto mirrored = jump(11 - i < 6);
    mirrored.vel[0] = -mirrored.vel[0];
    return mirrored;
  });
  std::ranges::reverse(downward);
  EXPECT_EQ(upward, downward);
  EXPECT_EQ(std::ranges::count(upward, 0.0), 4);  // both cells of the jump, and one beside each
}

TEST(FlattenRow, is_the_same_where_pressures_or_velocities_differ_by_roundings) {
  // Gas runs as a whole, or into a layer of higher pressure.
  for (const double inside : {1.0, 0.0}) {
    const auto layer = [&](double p_beside, double vel_beside) {
      return flatness_of([=](int i) -> Euler<1>::Primitive {
        if (i == 5) return {.rho = 1, .vel = {{vel_beside}}, .p = p_beside};
        return {.rho = 1, .vel = {{i < 6 ? 1.0 : inside}}, .p = i < 6 ? 1.0 : 4.0};
      });
    };
    const auto even = layer(1.0, 1.0);
    EXPECT_GT(std::ranges::count(even, 0.0), 0);
    for (const double bit : {-4e-16, 4e-16}) {
      EXPECT_EQ(layer(1.0 + bit, 1.0), even);
      EXPECT_EQ(layer(1.0, 1.0 + bit), even);
    }
    EXPECT_NE(layer(1.001, 1.0), even);
  }
}

/// One step of a block in which the velocity along axis a is -closing (a + 1) x_a.
template <int D>
struct Step {
  using Scheme = numerics::Ctu<Euler<D>>;
  static constexpr double closing_of(double closing) { return closing * D * (D + 1) / 2; }

  Step(double closing, double viscosity)
      : scheme{.care = {.flattens = false, .viscosity = viscosity}},
        scratch(scheme.scratch_bytes(valid)) {
    const Box<D> all = valid.grown(Scheme::n_ghosts);
    numbers.resize(View<double, D>::size_of(all, D + 2));
    u = View<double, D>(numbers.data(), all, D + 2);
    for_each(all, [&](const Index<D>& i) {
      typename Euler<D>::Primitive w{
          .rho = 1.0 + 0.02 * i[0], .vel = {}, .p = 1.0 - 0.01 * i[D - 1]};
      for (int a = 0; a < D; ++a) w.vel[a] = -closing * (a + 1) * dx[a] * i[a];
      numerics::store(scheme.system.to_conserved(w), u.at(0, i), u.component_stride());
    });
    before = numbers;
    report = scheme.update_stage(0, u, {}, valid, {1e-3, dx}, scratch);
  }

  const Box<D> valid = Box<D>::cube(4);
  const Vec<D> dx = [] {
    Vec<D> size;
    for (int a = 0; a < D; ++a) size[a] = 0.1 * (1 + a);
    return size;
  }();
  Scheme scheme;
  std::vector<std::byte> scratch;
  std::vector<double> numbers, before;
  View<double, D> u;
  numerics::StepReport<D> report;
};

/// Expect the flux of a step with viscosity 0.1 to differ from that of one without by what eq. 4.2
/// says of a flow of this divergence; in an even one, by nothing at all.
template <int D>
void expect_viscosity(double closing) {
  const Step<D> with(closing, 0.1), without(closing, 0.0);
  const double divergence = -Step<D>::closing_of(closing);
  EXPECT_EQ(with.report.fallbacks, numerics::Fallbacks{});
  const View<const double, D> u(with.before.data(), with.u.box(), D + 2);
  double largest = 0;
  for (int a = 0; a < D; ++a) {
    const auto& f = with.report.flux[static_cast<std::size_t>(a)];
    const auto& f0 = without.report.flux[static_cast<std::size_t>(a)];
    for_each(f.box(), [&](const Index<D>& i) {
      for (int c = 0; c < D + 2; ++c) {
        const double jump = u[c, i] - u[c, i - Index<D>::unit(a)];
        const double expected = 0.1 * with.dx[a] * std::min(divergence, 0.0) * jump;
        if (expected == 0)
          ASSERT_EQ((f[c, i]), (f0[c, i])) << D << "-D, axis " << a;
        else
          ASSERT_NEAR((f[c, i] - f0[c, i]), expected, 1e-12) << D << "-D, axis " << a;
        largest = std::max(largest, std::abs(expected));
      }
    });
  }
  EXPECT_EQ(largest > 1e-4, closing > 0) << largest;
}

TEST(Viscosity, takes_its_share_of_the_jump_where_gas_converges_and_nothing_elsewhere) {
  for (const double closing : {0.5, -0.5, 0.0}) {
    expect_viscosity<1>(closing);
    expect_viscosity<2>(closing);
    expect_viscosity<3>(closing);
  }
}

}  // namespace
}  // namespace thalweg::hydro
