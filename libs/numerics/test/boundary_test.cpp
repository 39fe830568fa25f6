// SPDX-License-Identifier: MIT
#include <thalweg/numerics/boundary.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "advection.hpp"
#include "owned.hpp"

namespace thalweg::numerics {
namespace {

double number(const Index<2>& i) {
  return 1.0 + i[0] + 100.0 * i[1];
}

/// Cells inside the domain numbered, those outside NaN.
void number_inside(test::Owned<2>& u, const Box<2>& inside) {
  u.fill([&](int, const Index<2>& i) { return inside.contains(i) ? number(i) : std::nan(""); });
}

TEST(FillBoundaries, outflow_repeats_the_nearest_cell_also_in_corners) {
  const Box<2> domain = Box<2>::cube(4);
  test::Owned<2> u(domain.grown(3), 1);
  number_inside(u, domain);
  Boundaries<2> kinds;
  kinds.fill(Boundary::outflow);

  fill_boundaries(test::Advection<2>{}, u(), domain, kinds);

  for_each(domain.grown(3), [&](const Index<2>& i) {
    const Index<2> nearest{{std::clamp(i[0], 0, 3), std::clamp(i[1], 0, 3)}};
    EXPECT_EQ((u[0, i]), number(nearest));
  });
}

TEST(FillBoundaries, reflecting_mirrors_once_for_each_wall_crossed) {
  const Box<2> domain = Box<2>::cube(4);
  test::Owned<2> u(domain.grown(3), 1);
  number_inside(u, domain);
  Boundaries<2> kinds;
  kinds.fill(Boundary::reflecting);

  fill_boundaries(test::Advection<2>{}, u(), domain, kinds);  // its mirror doubles

  for_each(domain.grown(3), [&](const Index<2>& i) {
    Index<2> source = i;
    double factor = 1.0;
    for (int a = 0; a < 2; ++a) {
      if (i[a] >= 0 && i[a] < 4) continue;
      source[a] = i[a] < 0 ? -1 - i[a] : 7 - i[a];
      factor *= 2.0;
    }
    EXPECT_EQ((u[0, i]), factor * number(source));
  });
}

/// Notes whether it was given a cell that nobody had set.
struct Watchful : test::Advection<2> {
  bool* has_seen_unset = nullptr;

  State mirror(State u, int) const {
    *has_seen_unset |= std::isnan(u.q);
    return u;
  }
};

TEST(FillBoundaries, reads_no_unset_cell) {
  const Box<2> domain = Box<2>::cube(4);
  test::Owned<2> u(domain.grown(3), 1);
  number_inside(u, domain);
  Boundaries<2> kinds;
  kinds.fill(Boundary::reflecting);
  bool has_seen_unset = false;

  fill_boundaries(Watchful{{}, &has_seen_unset}, u(), domain, kinds);

  EXPECT_FALSE(has_seen_unset);
}

TEST(FillBoundaries, uses_periodic_ghost_cells_and_leaves_them_alone) {
  const Box<2> domain = Box<2>::cube(4);
  test::Owned<2> u(domain.grown(2), 1);
  number_inside(u, domain.grown(0, 2));  // x is periodic and exchanged already

  fill_boundaries(test::Advection<2>{}, u(), domain,
                  {Boundary::periodic, Boundary::periodic, Boundary::outflow, Boundary::outflow});

  for_each(domain.grown(2), [&](const Index<2>& i) {
    EXPECT_EQ((u[0, i]), number(Index<2>{{i[0], std::clamp(i[1], 0, 3)}}));
  });
}

TEST(FillBoundaries, asks_for_given_states_by_face_cell_and_mirror_image_also_in_corners) {
  const Box<2> domain = Box<2>::cube(4);
  test::Owned<2> u(domain.grown(2), 1);
  number_inside(u, domain);
  std::map<int, int> n_asked;

  fill_boundaries(
      test::Advection<2>{}, u(), domain,
      {Boundary::dirichlet, Boundary::outflow, Boundary::reflecting, Boundary::dirichlet},
      [&](const BoundaryRow<2>& row) {
        using State = test::Advection<2>::State;
        row.set<State>([&](const Index<2>& cell, const State& inside) {
          ++n_asked[row.face];
          const Index<2> image =
              row.face == 0 ? Index<2>{{-1 - cell[0], cell[1]}} : Index<2>{{cell[0], 7 - cell[1]}};
          EXPECT_EQ(inside.q, (u[0, image]));
          return State{-number(cell)};
        });
      });

  EXPECT_EQ(n_asked, (std::map<int, int>{{0, 2 * 4}, {3, 2 * 8}}));
  for_each(domain.grown(2), [&](const Index<2>& i) {
    const bool is_given = i[1] >= 4 || (i[0] < 0 && i[1] >= 0);  // the last pass sets corners
    const bool is_image_of_given = i[0] < 0 && i[1] < 0;
    if (is_given) {
      EXPECT_EQ((u[0, i]), -number(i));
    } else if (is_image_of_given) {  // doubled
      EXPECT_EQ((u[0, i]), -2.0 * number(Index<2>{{i[0], -1 - i[1]}}));
    }
  });
}

/// Its mirror shows the axis.
struct Walls : test::Advection<3> {
  State mirror(State u, int axis) const { return {(axis + 2) * u.q}; }
};

double given_outside(int face, const Index<3>& cell, double inside) {
  return 1000.0 * (face + 1) + cell[0] + 10.0 * cell[1] + 100.0 * cell[2] + inside;
}

/// What a cell must hold, from the last axis along which it lies outside to the first: the value
/// of a cell inside that the faces it lies beyond have changed.
double expected(Index<3> cell, const Box<3>& domain, const Boundaries<3>& kinds) {
  for (int a = 2; a >= 0; --a) {
    const int side = cell[a] < domain.lo[a] ? 0 : cell[a] >= domain.hi[a] ? 1 : -1;
    if (side < 0) continue;
    const int face = 2 * a + side;
    Index<3> from = cell;
    from[a] = side == 0 ? 2 * domain.lo[a] - 1 - cell[a] : 2 * domain.hi[a] - 1 - cell[a];
    switch (kinds[static_cast<std::size_t>(face)]) {
      case Boundary::periodic:
        continue;  // there already
      case Boundary::outflow:
        from[a] = side == 0 ? domain.lo[a] : domain.hi[a] - 1;
        return expected(from, domain, kinds);
      case Boundary::reflecting:
        return (a + 2) * expected(from, domain, kinds);
      case Boundary::dirichlet:
      case Boundary::fixed:
        return given_outside(face, cell, expected(from, domain, kinds));
    }
  }
  return 1.0 + cell[0] + 0.5 * cell[1] + 0.25 * cell[2];
}

TEST(FillBoundaries, is_right_for_every_kind_on_each_of_six_faces_with_any_on_the_others) {
  const Box<3> domain{{{2, 3, 4}}, {{5, 6, 7}}};
  const std::array open{Boundary::outflow, Boundary::reflecting, Boundary::dirichlet,
                        Boundary::fixed};
  std::vector<std::array<Boundary, 2>> ends{{Boundary::periodic, Boundary::periodic}};
  for (const Boundary lower : open)
    for (const Boundary upper : open) ends.push_back({lower, upper});

  for (const auto& x : ends)
    for (const auto& y : ends)
      for (const auto& z : ends) {
        const Boundaries<3> kinds{x[0], x[1], y[0], y[1], z[0], z[1]};
        test::Owned<3> u(domain.grown(2), 1);
        u.fill([&](int, const Index<3>& i) {
          bool is_set = true;
          for (int a = 0; a < 3; ++a)
            is_set = is_set && (kinds[static_cast<std::size_t>(2 * a)] == Boundary::periodic ||
                                (i[a] >= domain.lo[a] && i[a] < domain.hi[a]));
          return is_set ? expected(i, domain, kinds) : std::nan("");
        });

        fill_boundaries(Walls{}, u(), domain, kinds, [](const BoundaryRow<3>& row) {
          row.set<Walls::State>([&](const auto& cell, const auto& inside) {
            return Walls::State{given_outside(row.face, cell, inside.q)};
          });
        });

        int n_wrong = 0;
        for_each(domain.grown(2),
                 [&](const Index<3>& i) { n_wrong += u[0, i] != expected(i, domain, kinds); });
        ASSERT_EQ(n_wrong, 0) << "kinds " << static_cast<int>(x[0]) << static_cast<int>(x[1])
                              << static_cast<int>(y[0]) << static_cast<int>(y[1])
                              << static_cast<int>(z[0]) << static_cast<int>(z[1]);
      }
}

TEST(FillBoundaries, does_nothing_to_a_block_inside) {
  const Box<2> block{{{4, 4}}, {{8, 8}}};
  test::Owned<2> u(block.grown(2), 1);
  number_inside(u, block.grown(2));
  Boundaries<2> kinds;
  kinds.fill(Boundary::reflecting);

  fill_boundaries(test::Advection<2>{}, u(), Box<2>::cube(16), kinds);

  for_each(block.grown(2), [&](const Index<2>& i) { EXPECT_EQ((u[0, i]), number(i)); });
}

}  // namespace
}  // namespace thalweg::numerics
