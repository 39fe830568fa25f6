// SPDX-License-Identifier: MIT
#include <thalweg/numerics/reflux.hpp>

#include <gtest/gtest.h>

#include <thalweg/numerics/conservation_law.hpp>

#include "owned.hpp"

namespace thalweg::numerics {
namespace {

TEST(RecordFlux, sets_over_whatever_was_there_and_then_adds) {
  const Box<2> faces = Box<2>::cube(3);
  test::Owned<2> flux(faces, 2), reg(faces, 2);
  flux.fill([](int c, const Index<2>& i) { return 1.0 + c + i[0] + 10 * i[1]; });

  record_flux(flux(), reg(), faces, 0.5, Accumulate::set);
  record_flux(flux(), reg(), faces, 0.25, Accumulate::add);

  EXPECT_EQ((reg[1, Index<2>{{2, 1}}]), 0.75 * 14.0);
}

TEST(RecordFineFlux, is_the_mean_over_the_fine_faces_of_each_axis) {
  for (const int ratio : {2, 4})
    for (int axis = 0; axis < 3; ++axis) {
      Box<3> faces = Box<3>::cube(2);
      faces.lo[axis] = 1;  // one layer of faces normal to the axis, the upper ones of cell 0
      faces.hi[axis] = 2;
      Box<3> fine_faces = faces.refined(ratio);
      fine_faces.hi[axis] = fine_faces.lo[axis] + 1;
      test::Owned<3> flux(fine_faces, 1), reg(faces, 1);
      flux.fill([&](int, const Index<3>& i) {
        return 3.0 + (axis != 0) * i[0] + (axis != 1) * 10.0 * i[1] + (axis != 2) * 100.0 * i[2];
      });

      record_fine_flux(flux(), ratio, axis, reg(), faces, 2.0, Accumulate::set);

      for_each(faces, [&](const Index<3>& i) {
        double mean = 3.0;
        double weight = 1.0;
        for (int a = 0; a < 3; ++a, weight *= 10.0)
          if (a != axis) mean += weight * (ratio * i[a] + 0.5 * (ratio - 1));
        EXPECT_DOUBLE_EQ((reg[0, i]), 2.0 * mean) << "axis " << axis << " ratio " << ratio;
      });
    }
}

TEST(RecordFineFlux, equal_fluxes_give_exactly_their_value) {
  const Box<2> faces{{{4, 0}}, {{5, 3}}};
  test::Owned<2> flux(Box<2>{{{8, 0}}, {{9, 6}}}, 1), reg(faces, 1);
  flux.fill([](int, const Index<2>&) { return 0.1; });

  record_fine_flux(flux(), 2, 0, reg(), faces, 1.0, Accumulate::set);

  for_each(faces, [&](const Index<2>& i) { EXPECT_EQ((reg[0, i]), 0.1); });
}

/// A coarse cell that lost C through a face, beside fine cells that gained F, must have lost F.
TEST(CorrectCells, makes_the_coarse_cell_lose_what_the_fine_cells_gained) {
  const double h = 0.5, coarse_flux = 3.0, fine_flux = 3.25;
  for (int axis = 0; axis < 2; ++axis)
    for (const Side side : {Side::below, Side::above}) {
      Box<2> faces = Box<2>::cube(3);
      faces.lo[axis] = 1;
      faces.hi[axis] = 2;
      test::Owned<2> u(Box<2>::cube(3), 1), coarse(faces, 1), fine(faces, 1);
      // With the coarse flux the cell below lost, the cell above gained coarse_flux / h.
      const double sign = side == Side::below ? -1.0 : 1.0;
      u.fill([&](int, const Index<2>&) { return 100.0 + sign * coarse_flux / h; });
      coarse.fill([&](int, const Index<2>&) { return coarse_flux; });
      fine.fill([&](int, const Index<2>&) { return fine_flux; });

      correct_cells(u(), coarse(), fine(), faces, axis, side, h);

      const int layer = side == Side::below ? 0 : 1;
      for_each(Box<2>::cube(3), [&](const Index<2>& i) {
        const double flux = i[axis] == layer ? fine_flux : coarse_flux;
        EXPECT_EQ((u[0, i]), 100.0 + sign * flux / h) << "axis " << axis;
      });
    }
}

/// What a fluid carries, and its momentum, which is not corrected but keeps pace with it.
struct Load {
  double amount, mom;
};
struct Carried : ConservationLaw<Carried, 1, Load> {
  static constexpr int n_refluxed = 1;
  Load flux(Load, int) const { return {}; }
  Speeds speeds(Load, int) const { return {}; }
  Load after_reflux(Load before, Load after) const {
    return {after.amount, before.mom * after.amount / before.amount};
  }
};

TEST(CorrectStates, asks_the_system_for_the_components_without_registers) {
  const Box<1> cells = Box<1>::cube(3), face{{{1}}, {{2}}};
  test::Owned<1> u(cells, 2), coarse(face, 1), fine(face, 1);
  u.fill([](int c, const Index<1>&) { return c == 0 ? 4.0 : 8.0; });
  coarse.fill([](int, const Index<1>&) { return 1.0; });
  fine.fill([](int, const Index<1>&) { return 2.0; });

  correct_states(Carried{}, u(), coarse(), fine(), face, 0, Side::below, 1.0);

  EXPECT_EQ((u[0, Index<1>{{0}}]), 3.0);
  EXPECT_EQ((u[1, Index<1>{{0}}]), 6.0);
  EXPECT_EQ((u[0, Index<1>{{1}}]), 4.0);
  EXPECT_EQ((u[1, Index<1>{{1}}]), 8.0);
}

}  // namespace
}  // namespace thalweg::numerics
