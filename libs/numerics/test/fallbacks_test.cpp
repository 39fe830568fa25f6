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
  std::array<double, 3> new_l{}, new_r{}, replaced{};

  detail::correct_faces<detail::ConservedCorrection<Gas>, 1>(
      Gas{}, 3, {l.data(), 3, of_l.data()}, {r.data(), 3, of_r.data()}, {new_l.data(), 3},
      {new_r.data(), 3}, {before.data(), replaced.data()});

  EXPECT_EQ(replaced, (std::array<double, 3>{7, 8, 10}));
  EXPECT_EQ(new_l, (std::array<double, 3>{2, 1, 2}));
  EXPECT_EQ(new_r, r);
}

TEST(Fallbacks, rows_of_any_length_count_each_place_of_a_valid_cell_once) {
  const Box<2> valid{{{10, 4}}, {{30, 6}}};
  constexpr int n_around = 2;
  Scratch counting;
  detail::Tally<2>(valid, n_around, counting);
  std::vector<std::byte> bytes(counting.n_bytes());
  Scratch scratch(bytes);
  detail::Tally<2> tally(valid, n_around, scratch);
  int n_counted = 0;
  const auto count = [&](int x, int y) {
    n_counted += valid.contains(Index<2>{{x, y}});
    return 1.0;
  };
  for (int y = 3; y <= 6; ++y)
    for (int first = 8; first <= 12; ++first)
      for (int n = 0; n <= 33 - first; ++n) {
        const Index<2> row{{first, y}};
        const detail::TallyRow next = tally.next_row(row, n);
        compute_row(n, [=](int i) { next.after[i] = next.before[i] + 1.0; });
        for (int i = 0; i < n; ++i) count(first + i, y);
        if (n > 0) tally.counts(row)[n - 1] += count(first + n - 1, y);
      }
  EXPECT_EQ(tally.sum(), n_counted);
}

TEST(Fallbacks, faces_count_by_the_cell_above_them) {
  const Box<2> valid{{{10, 4}}, {{30, 6}}};
  EXPECT_EQ(detail::n_lower_faces(valid, 0, Index<2>{{10, 4}}, 21), 20);
  EXPECT_EQ(detail::n_lower_faces(valid, 1, Index<2>{{10, 5}}, 20), 20);
  EXPECT_EQ(detail::n_lower_faces(valid, 1, Index<2>{{10, 6}}, 20), 0);
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
  const auto stage = [](std::size_t k) {
    return [k](const auto& scheme, auto u, auto... more) {
      return scheme.update_stage(k, u, ConstView<1>(u), more...);
    };
  };
  EXPECT_EQ((step_with_bad_edges<Vl2<Gas, PpmExtrema, RiemannHlle>>(stage(1)).replaced_states), 2);
  EXPECT_EQ((step_with_bad_edges<Ctu<Gas, PpmExtrema, RiemannHlle>>(stage(0)).replaced_states), 2);
  EXPECT_EQ(
      (step_with_bad_edges<RungeKutta<Gas, PpmExtrema, RiemannHlle>>(stage(0)).replaced_states), 2);
}

}  // namespace
}  // namespace thalweg::numerics
