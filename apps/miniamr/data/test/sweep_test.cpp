// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/data/sweep.hpp>

#include <array>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>
#include <thalweg/miniamr/data/stages.hpp>

#include "plain.hpp"

namespace thalweg::miniamr::data::testing {
namespace {

/// One variable with random cells and ghost cells, and faces that hold nothing yet.
struct Variable {
  explicit Variable(const Shape& s) : shape(s), cells(static_cast<std::size_t>(s.n_cells())) {
    SplitMix64 random(7);
    const auto number = [&] { return random.uniform(); };
    for (double& u : cells) u = number();
    for (std::size_t f = 0; f < 6; ++f) {
      const auto n = static_cast<std::size_t>(shape.plane(static_cast<int>(f) / 2).size());
      for (std::size_t i = 0; i < n; ++i) ghosts[f].push_back(number());
      faces[f].assign(n, -1.0);
    }
  }
  Swept swept() {
    Swept s{.cells = cells.data()};
    for (std::size_t f = 0; f < 6; ++f) {
      s.ghosts[f] = ghosts[f].data();
      s.faces[f] = faces[f].data();
    }
    return s;
  }
  /// Where a cell of a face stands in its plane.
  std::size_t at(int axis, const Index<3>& i) const {
    const Plane plane = shape.plane(axis);
    const auto [a, b] = transverse(axis);
    return static_cast<std::size_t>(plane.origin() + i[a] + plane.pitch() * i[b]);
  }

  Shape shape;
  std::vector<double> cells;
  std::array<std::vector<double>, 6> ghosts;
  std::array<std::vector<double>, 6> faces;
};

PlainBlock plain_of(const Variable& variable) {
  const auto [nx, ny, nz] = variable.shape.n;
  PlainBlock u(variable.shape.n);
  const int b = variable.shape.has_corners ? 1 : 0;
  for (int k = -1; k <= nz; ++k)
    for (int j = -1; j <= ny; ++j)
      for (int i = -1; i <= nx; ++i) {
        const Index<3> here{i, j, k};
        const auto out = [](int x, int n) { return x < 0 || x == n; };
        const auto ghost = [&](int axis) {
          const auto face = static_cast<std::size_t>(2 * axis + (here[axis] < 0 ? 0 : 1));
          return variable.ghosts[face][variable.at(axis, here)];
        };
        if (out(k, nz) && (b == 1 || (!out(i, nx) && !out(j, ny))))
          u(here) = ghost(2);
        else if (!out(k, nz) && out(j, ny) && (b == 1 || !out(i, nx)))
          u(here) = ghost(1);
        else if (!out(k, nz) && !out(j, ny) && out(i, nx))
          u(here) = ghost(0);
        else if (!out(k, nz) && !out(j, ny))
          u(here) = variable.cells[static_cast<std::size_t>(i + nx * (j + ny * k))];
      }
  return u;
}

void expect_plain_sweep(const Shape& shape, Stencil stencil) {
  Variable variable(shape);
  const PlainBlock before = plain_of(variable);
  alignas(64) static std::array<std::byte, 1 << 18> scratch;
  ASSERT_LE(scratch_bytes(shape), scratch.size());
  (stencil == Stencil::seven ? sweep_7 : sweep_27)(shape, variable.swept(), scratch);
  before.for_each([&, n = shape.n](int i, int j, int k) {
    const double u = variable.cells[static_cast<std::size_t>(i + n[0] * (j + n[1] * k))];
    ASSERT_EQ(u, plain_mean(before, i, j, k, stencil)) << n[0] << ' ' << i << ' ' << j << ' ' << k;
    const Index<3> here{i, j, k};
    for (int axis = 0; axis < 3; ++axis)
      for (const int side : {0, 1})
        if (here[axis] == (side == 0 ? 0 : n[static_cast<std::size_t>(axis)] - 1)) {
          const auto& face = variable.faces[static_cast<std::size_t>(2 * axis + side)];
          ASSERT_EQ(face[variable.at(axis, here)], u);
        }
  });
}

TEST(Sweep, of_7_points_has_the_bits_of_plain_loops_whatever_the_row_length) {
  for (int n = 2; n <= 26; n += 2) {
    expect_plain_sweep({{n, 4, 6}, 1}, Stencil::seven);
    expect_plain_sweep({{n, 2, 2}, 1}, Stencil::seven);
    expect_plain_sweep({{n, n, 2}, 1}, Stencil::seven);  // as many rows as a row has cells
    expect_plain_sweep({{n, n, 6}, 1}, Stencil::seven);
  }
  expect_plain_sweep({{50, 2, 4}, 1}, Stencil::seven);  // strips of more than one width
  expect_plain_sweep({{76, 6, 2}, 1}, Stencil::seven);  // some between others
}

TEST(Sweep, of_27_points_has_the_bits_of_plain_loops_whatever_the_row_length) {
  for (int n = 2; n <= 26; n += 2) expect_plain_sweep({{n, 4, 6}, 1, true}, Stencil::twenty_seven);
}

TEST(Sweep, leaves_the_border_of_faces_alone) {
  Variable variable({{4, 4, 4}, 1, true});
  alignas(64) std::array<std::byte, 1 << 14> scratch;
  sweep_27(variable.shape, variable.swept(), scratch);
  EXPECT_EQ(variable.faces[2].front(), -1.0);
  EXPECT_EQ(variable.faces[5].back(), -1.0);
}

}  // namespace
}  // namespace thalweg::miniamr::data::testing
