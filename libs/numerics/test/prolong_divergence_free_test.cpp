// SPDX-License-Identifier: MIT
#include <thalweg/numerics/prolong_divergence_free.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>
#include <thalweg/numerics/prolong_points.hpp>

#include "owned.hpp"

namespace thalweg::numerics {
namespace {

/// The faces of all axes of some cells.
template <int D>
struct FacesOfCells {
  std::deque<test::Owned<D>> of_axis;  // they stay where they are

  explicit FacesOfCells(const Box<D>& cells, int n_ghosts = 0) {
    for (int a = 0; a < D; ++a)
      of_axis.emplace_back(Centring<D>::face(a).points(cells).grown(n_ghosts), 1);
  }
  FaceViews<D> views() {
    FaceViews<D> all;
    for (std::size_t a = 0; a < D; ++a) all[a] = of_axis[a]();
    return all;
  }
  double divergence(const Index<D>& cell, const Vec<D>& dx) {
    double sum = 0;
    for (int a = 0; a < D; ++a) {
      auto& faces = of_axis[static_cast<std::size_t>(a)];
      sum += ((faces[0, cell + Index<D>::unit(a)]) - (faces[0, cell])) / dx[a];
    }
    return sum;
  }
};

template <int D>
Vec<D> sizes(int parts) {
  Vec<D> dx;
  for (int a = 0; a < D; ++a) dx[a] = (1.0 + 0.75 * a) / parts;
  return dx;
}

template <int D>
void expect_divergence_of_the_coarse_cells() {
  const Box<D> cells = Box<D>::cube(4).shifted(Index<D>::filled(-1));
  FacesOfCells<D> coarse(cells, 1), fine(cells.refined(2));
  SplitMix64 random(11);
  for (auto& faces : coarse.of_axis)
    faces.fill([&](int, const Index<D>&) { return random.uniform() - 0.5; });
  for (int a = 0; a < D; ++a) {
    auto& faces = fine.of_axis[static_cast<std::size_t>(a)];
    prolong_points(Centring<D>::face(a), coarse.of_axis[static_cast<std::size_t>(a)](), faces(),
                   faces().box(), 2);
  }

  prolong_divergence_free<D>(fine.views(), cells, sizes<D>(1));

  double largest = 0;
  for_each(cells.refined(2), [&](const Index<D>& cell) {
    const double of_coarse = coarse.divergence(floor_div(cell, 2), sizes<D>(1));
    largest = std::max(largest, std::abs(fine.divergence(cell, sizes<D>(2)) - of_coarse));
  });
  EXPECT_LT(largest, 2e-14);  // some ten roundings of numbers below 4
}

TEST(ProlongDivergenceFree, every_part_has_the_divergence_of_its_cell) {
  expect_divergence_of_the_coarse_cells<2>();
  expect_divergence_of_the_coarse_cells<3>();
}

// FacesOfCells that a neighbour gave, which no interpolation makes: only what goes through the
// whole cell counts.
TEST(ProlongDivergenceFree, takes_the_outer_faces_as_they_are) {
  const Box<3> cell = Box<3>::cube(1);
  FacesOfCells<3> fine(cell.refined(2)), before(cell.refined(2));
  for (auto* all : {&fine, &before}) {
    SplitMix64 random(13);
    for (auto& faces : all->of_axis)
      faces.fill([&](int, const Index<3>&) { return random.uniform(); });
  }

  prolong_divergence_free<3>(fine.views(), cell, sizes<3>(1));

  double sum = 0;
  double largest = 0;
  for_each(cell.refined(2), [&](const Index<3>& i) { sum += fine.divergence(i, sizes<3>(2)) / 8; });
  for_each(cell.refined(2), [&](const Index<3>& i) {
    largest = std::max(largest, std::abs(fine.divergence(i, sizes<3>(2)) - sum));
  });
  EXPECT_LT(largest, 2e-14);
  for (int a = 0; a < 3; ++a) {
    auto& faces = fine.of_axis[static_cast<std::size_t>(a)];
    for_each(faces().box(), [&](const Index<3>& i) {
      if (i[a] == 1) return;
      EXPECT_EQ((faces[0, i]), (before.of_axis[static_cast<std::size_t>(a)][0, i]));
    });
  }
}

// A linear field: the flow inside is the field itself, whatever the shape of the cells.
TEST(ProlongDivergenceFree, is_exact_for_linear_fields) {
  const Box<3> cells = Box<3>::cube(2);
  const Vec<3> dx = sizes<3>(2);
  FacesOfCells<3> fine(cells.refined(2));
  const auto value = [&](int a, const Index<3>& i) {
    double sum = 1 + a;
    for (int b = 0; b < 3; ++b) sum += (a + 2 * b - 1) * dx[b] * (i[b] + (a == b ? 0.0 : 0.5));
    return sum;
  };
  for (int a = 0; a < 3; ++a)
    fine.of_axis[static_cast<std::size_t>(a)].fill([&](int, const Index<3>& i) {
      return i[a] % 2 == 0 ? value(a, i) : std::nan("");  // inner faces are not known
    });

  prolong_divergence_free<3>(fine.views(), cells, dx);

  for (int a = 0; a < 3; ++a) {
    auto& faces = fine.of_axis[static_cast<std::size_t>(a)];
    for_each(faces().box(),
             [&](const Index<3>& i) { EXPECT_NEAR((faces[0, i]), value(a, i), 1e-13); });
  }
}

}  // namespace
}  // namespace thalweg::numerics
