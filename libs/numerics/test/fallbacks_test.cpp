// SPDX-License-Identifier: MIT
// Where the schemes replace inadmissible states, and that they say so.
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/update_ctu.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>
#include <thalweg/numerics/update_vl2.hpp>

#include "advection.hpp"
#include "owned.hpp"

namespace thalweg::numerics {
namespace {

using Gas = test::Advection<1>;  // a quantity that must be positive

TEST(Fallbacks, half_states_are_counted_where_the_old_ones_stay) {
  const std::array<double, 3> half{1, -1, 2};
  std::array<double, 3> u{5, 6, 7};

  std::array<double, 3> replaced{};

  detail::take_admissible_row(Gas{}, 3, half.data(), 3, u.data(), 3, replaced.data());

  EXPECT_EQ(replaced, (std::array<double, 3>{0, 1, 0}));
  EXPECT_EQ(u, (std::array<double, 3>{1, 6, 2}));
}

TEST(Fallbacks, traced_states_are_counted_where_the_mean_takes_their_place) {
  std::array<double, 3> mean{1, 1, 1}, lower{2, -2, 2}, upper{-2, -2, 2}, to_lower{}, to_upper{};
  const std::array<double, 3> flatness{1, 1, 1};
  std::array<double, 3> before{7, 8, 9}, replaced{};
  const detail::EdgeRow edges{lower.data(), upper.data(), 3, before.data()};

  detail::trace_row<0>(Gas{}, 3, 1e-9, mean.data(), 3, flatness.data(), edges, to_lower.data(),
                       to_upper.data(), 3, {before.data(), replaced.data()});

  EXPECT_EQ(replaced, (std::array<double, 3>{8, 9, 9}));
  EXPECT_EQ(to_lower, (std::array<double, 3>{2, 1, 2}));
  EXPECT_EQ(to_upper[0], 1.0);
  EXPECT_EQ(to_upper[1], 1.0);
  EXPECT_NEAR(to_upper[2], 2.0, 1e-6);
}

TEST(Fallbacks, corrected_states_are_counted_where_they_stay_as_they_were) {
  // The states below three faces lose 0, 1 and 3, those above nothing.
  const std::array<double, 3> l{2, 2, 2}, r{1, 1, 1}, zero{}, loss{0, 1, 3};
  const std::array<detail::TransverseRow, 1> of_l{{{zero.data(), loss.data(), 3, 1.0}}};
  const std::array<detail::TransverseRow, 1> of_r{{{zero.data(), zero.data(), 3, 1.0}}};
  const std::array<double, 3> before{7, 8, 9};
  std::array<double, 3> flux{}, replaced{};

  detail::solve_corrected_faces<detail::ConservedCorrection<Gas>, 1, RiemannHlle, 0>(
      Gas{}, 3, {l.data(), 3, of_l.data()}, {r.data(), 3, of_r.data()}, flux.data(), 3,
      {before.data(), replaced.data()});

  EXPECT_EQ(replaced, (std::array<double, 3>{7, 8, 10}));
  EXPECT_EQ(flux, (std::array<double, 3>{2, 1, 2}));
}

TEST(Fallbacks, rows_of_any_length_count_each_place_once) {
  const Box<1> longest{{{0}}, {{20}}};
  Scratch counting;
  detail::Tally(longest, counting);
  std::vector<std::byte> bytes(counting.n_bytes());
  Scratch scratch(bytes);
  detail::Tally tally(longest, scratch);
  int n_places = 0;
  for (int n = 0; n <= 21; ++n) {
    const detail::TallyRow row = tally.next_row(n);
    compute_row(n, [=](int i) { row.after[i] = row.before[i] + 1.0; });
    n_places += n;
    if (n > 0) tally.counts()[n - 1] += 1.0;
  }
  EXPECT_EQ(tally.sum(), n_places + 21);
}

/// What a step of one block reports whose averages are those of x^2 - 0.3: see
/// reconstruct_row_test.cpp.
template <class S, class Update>
Fallbacks step_with_bad_edges(Update update) {
  const Box<1> valid = Box<1>::cube(8);
  test::Owned<1> u(valid.grown(S::n_ghosts), 1);
  u.fill([](int, const Index<1>& i) { return (i[0] - 3.5) * (i[0] - 3.5) + 1.0 / 12 - 0.3; });
  const S scheme{};
  std::vector<std::byte> scratch(scheme.scratch_bytes(valid));
  return update(scheme, u(), valid, StepSize<1>{1e-6, {{1.0}}}, scratch).fallbacks;
}

TEST(Fallbacks, of_a_step_have_the_edges_of_cells_with_any_scheme) {
  const auto one_stage = [](const auto& scheme, auto... more) { return scheme.update(more...); };
  const auto stage = [](std::size_t k) {
    return [k](const auto& scheme, auto u, auto... more) {
      return scheme.update_stage(k, u, ConstView<1>(u), more...);
    };
  };
  EXPECT_EQ((step_with_bad_edges<Scheme<Gas, PpmExtrema, RiemannHlle>>(stage(1)).replaced_states),
            2);
  EXPECT_EQ((step_with_bad_edges<Ctu<Gas, PpmExtrema, RiemannHlle>>(one_stage).replaced_states), 2);
  EXPECT_EQ(
      (step_with_bad_edges<RungeKutta<Gas, PpmExtrema, RiemannHlle>>(stage(0)).replaced_states), 2);
}

}  // namespace
}  // namespace thalweg::numerics
