// SPDX-License-Identifier: MIT
#include <thalweg/numerics/boundary_points.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>

#include "owned.hpp"

namespace thalweg::numerics {
namespace {

constexpr Boundaries<2> walls_in_x{Boundary::reflecting, Boundary::outflow, Boundary::outflow,
                                   Boundary::outflow};

/// The points of 4 x 4 cells and two more around; i + 10 j inside, unset outside.
struct Numbered : test::Owned<2> {
  explicit Numbered(const Centring<2>& centring)
      : Owned(centring.points(Box<2>::cube(4)).grown(2), 1) {
    const Box<2> inside = centring.points(Box<2>::cube(4));
    fill([&](int, const Index<2>& i) {
      return inside.contains(i) ? i[0] + 10.0 * i[1] : std::nan("");
    });
  }
};

TEST(BoundaryPoints, faces_normal_to_a_wall_change_their_sign_around_the_one_on_it) {
  Numbered u(Centring<2>::face(0));

  fill_boundary_points(Centring<2>::face(0), u(), Box<2>::cube(4), walls_in_x);

  EXPECT_EQ((u[0, {{0, 1}}]), 10);
  EXPECT_EQ((u[0, {{-1, 1}}]), -11);
  EXPECT_EQ((u[0, {{-2, 1}}]), -12);
  EXPECT_EQ((u[0, {{4, 1}}]), 14);
  EXPECT_EQ((u[0, {{6, 1}}]), 14);
}

TEST(BoundaryPoints, other_points_are_mirrored_as_they_are) {
  Numbered faces(Centring<2>::face(1));
  Numbered nodes(Centring<2>::node());

  fill_boundary_points(Centring<2>::face(1), faces(), Box<2>::cube(4), walls_in_x);
  fill_boundary_points(Centring<2>::node(), nodes(), Box<2>::cube(4), walls_in_x);

  EXPECT_EQ((faces[0, {{-1, 1}}]), 10);
  EXPECT_EQ((faces[0, {{-2, 1}}]), 11);
  EXPECT_EQ((nodes[0, {{-1, 1}}]), 11);
  EXPECT_EQ((nodes[0, {{-2, 1}}]), 12);
}

TEST(BoundaryPoints, corners_are_filled_too_and_nothing_unset_is_read) {
  for (const auto& centring : {Centring<2>::node(), Centring<2>::face(0), Centring<2>::face(1)}) {
    Numbered u(centring);
    fill_boundary_points(centring, u(), Box<2>::cube(4), walls_in_x);
    for_each(u().box(), [&](const Index<2>& i) { EXPECT_TRUE(std::isfinite(u[0, i])); });
    EXPECT_EQ((u[0, {{-2, 5}}]), (u[0, {{-2, centring.between[1] ? 4 : 3}}]));
  }
}

TEST(BoundaryPoints, periodic_ends_are_left_alone) {
  Numbered u(Centring<2>::node());
  fill_boundary_points<2>(
      Centring<2>::node(), u(), Box<2>::cube(4),
      {Boundary::periodic, Boundary::periodic, Boundary::outflow, Boundary::outflow});
  EXPECT_TRUE(std::isnan(u[0, {{-1, 1}}]));
  EXPECT_EQ((u[0, {{1, -1}}]), 1);
}

TEST(BoundaryPoints, given_states_are_a_broken_contract) {
  Numbered u(Centring<2>::node());
  EXPECT_THROW(fill_boundary_points<2>(
                   Centring<2>::node(), u(), Box<2>::cube(4),
                   {Boundary::dirichlet, Boundary::outflow, Boundary::outflow, Boundary::outflow}),
               ContractViolation);
}

}  // namespace
}  // namespace thalweg::numerics
