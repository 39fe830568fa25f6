// SPDX-License-Identifier: MIT
#include <thalweg/numerics/detail/strips.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/numerics/ppm.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>
#include <thalweg/numerics/update_vl2.hpp>

#include "advection.hpp"
#include "owned.hpp"

namespace thalweg::numerics {
namespace {

TEST(Strips, hold_each_row_of_the_lowest_plane_once) {
  const Box<3> box{{{1, -3, 2}}, {{5, 20, 9}}};
  for (const int n_rows : {1, 4, 7, 23, 50}) {
    std::map<int, int> times;
    detail::for_each_strip(box, n_rows, [&](const Index<3>& first, int n) {
      EXPECT_EQ(first[0], 1);
      EXPECT_EQ(first[2], 2);
      EXPECT_LE(n, n_rows);
      for (int r = 0; r < n; ++r) ++times[first[1] + r];
    });
    EXPECT_EQ(times.size(), 23u);
    for (const auto& [row, n] : times) EXPECT_EQ(n, 1) << row;
  }
  int n_strips = 0;
  detail::for_each_strip(Box<1>::cube(8), 1, [&](const Index<1>&, int n) { n_strips += n; });
  EXPECT_EQ(n_strips, 1);
}

TEST(Strips, have_four_rows_or_all_and_about_the_same_number_each) {
  EXPECT_EQ(detail::n_rows_at_once(Box<3>::cube(8), 2), 8);
  EXPECT_EQ(detail::n_rows_at_once(Box<3>::cube(16), 2), 8);
  EXPECT_EQ(detail::n_rows_at_once(Box<3>::cube(2), 2), 2);
  EXPECT_EQ(detail::n_rows_at_once(Box<2>::cube(1000), 2), 4);
  EXPECT_EQ(detail::n_rows_at_once(Box<1>::cube(8), 2), 1);
}

// Cells without order, so that each has fluxes of its own; none where no method may read.
template <int D>
void fill(test::Owned<D>& u, const Box<D>& valid, double phase) {
  u.fill([&](int, const Index<D>& i) {
    int n_outside = 0;
    double sum = phase;
    for (int a = 0; a < D; ++a) {
      n_outside += i[a] < valid.lo[a] || i[a] >= valid.hi[a];
      sum += (a + 1.3) * i[a] * i[a];
    }
    return n_outside > 1 ? std::numeric_limits<double>::quiet_NaN() : 2.0 + std::sin(sum);
  });
}

template <int D>
struct Updated {
  test::Owned<D> u;
  std::vector<std::byte> scratch;
  StepReport<D> report{};

  template <class Scheme>
  Updated(const Scheme& scheme, std::size_t stage, const Box<D>& valid)
      : u(valid.grown(scheme.n_ghosts), 1), scratch(scheme.scratch_bytes(valid)) {
    test::Owned<D> start(valid.grown(1), 1);
    fill(u, valid, 0.1);
    fill(start, valid, 0.4);
    report = scheme.update_stage(stage, u(), start(), valid, {0.05, Vec<D>::filled(0.5)}, scratch);
  }
};

/// A block of many strips, the last of them shorter, beside blocks of one strip.
template <int D, class Scheme>
void expect_bits_of_small_blocks(const Scheme& scheme, const Box<D>& valid) {
  ASSERT_LT(detail::n_rows_at_once(valid, scheme.n_ghosts), valid.extent(1));
  for (std::size_t stage = 0; stage < scheme.stages().size(); ++stage) {
    const Updated<D> whole(scheme, stage, valid);
    for (Box<D> part = valid; part.lo[1] < valid.hi[1]; part.lo[1] += 3) {
      part.hi[1] = std::min(part.lo[1] + 3, valid.hi[1]);
      const Updated<D> small(scheme, stage, part);
      for_each(part, [&](const Index<D>& i) {
        EXPECT_EQ((whole.u[0, i]), (small.u[0, i])) << "stage " << stage << ", row " << i[1];
      });
      if (scheme.stages()[stage].weight == 0) continue;
      for (int a = 0; a < D; ++a)
        for_each(faces_of(part, a), [&](const Index<D>& i) {
          const auto axis = static_cast<std::size_t>(a);
          EXPECT_EQ((whole.report.flux[axis][0, i]), (small.report.flux[axis][0, i]));
        });
    }
  }
}

TEST(Strips, of_a_block_give_the_bits_of_small_blocks) {
  using Gas2 = test::Advection<2>;
  using Gas3 = test::Advection<3>;
  const Box<2> flat{{{3, -2}}, {{63, 9}}};
  const Box<3> deep{{{3, -2, 1}}, {{43, 9, 4}}};
  for (const double v : {1.5, -1.5}) {  // fluxes hear of the cells below, and of those above
    const Gas2 along{.velocity = {{0.5, v}}};
    const Gas3 across{.velocity = {{0.5, v, 1.0}}};
    expect_bits_of_small_blocks(Vl2<Gas2, PlmVanLeer, RiemannHlle>{along}, flat);
    expect_bits_of_small_blocks(Vl2<Gas3, PpmExtrema, RiemannHlle>{across}, deep);
    expect_bits_of_small_blocks(RungeKutta<Gas2, PpmExtrema, RiemannHlle>{along}, flat);
    expect_bits_of_small_blocks(RungeKutta<Gas3, PlmVanLeer, RiemannHlle>{across}, deep);
  }
}

}  // namespace
}  // namespace thalweg::numerics
