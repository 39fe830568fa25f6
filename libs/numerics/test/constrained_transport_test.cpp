// SPDX-License-Identifier: MIT
#include <thalweg/numerics/constrained_transport.hpp>

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

namespace thalweg::numerics {
namespace {

/// The faces of some cells and ghosts, all unset.
struct Faces {
  explicit Faces(const Box<2>& cells, int n_ghosts = 0) {
    for (int a = 0; a < 2; ++a) {
      const auto box = Centring<2>::face(a).points(cells).grown(n_ghosts);
      auto& of_axis = numbers[static_cast<std::size_t>(a)];
      of_axis.assign(View<double, 2>::size_of(box, 1), std::nan(""));
      views[static_cast<std::size_t>(a)] = {of_axis.data(), box, 1};
    }
  }
  ConstFaceViews<2> in() const { return {views[0], views[1]}; }

  std::array<std::vector<double>, 2> numbers;
  FaceViews<2> views;
};

constexpr Vec<2> dx{{0.25, 0.5}};

TEST(ConstrainedTransport, no_electric_field_gives_a_cell_a_divergence) {
  const Box<2> cells = Box<2>::cube(4);
  Faces b(cells);
  for (auto& of_axis : b.numbers) of_axis.assign(of_axis.size(), 0.0);
  const Box<2> nodes = Centring<2>::node().points(cells);
  std::vector<double> e(View<double, 2>::size_of(nodes, 1));
  SplitMix64 random(1);
  for (double& x : e) x = random.uniform();

  add_curl(b.views, View<const double, 2>(e.data(), nodes, 1), cells, 0.125, dx);

  for_each(cells, [&](const Index<2>& i) { EXPECT_NEAR(divergence<2>(b.in(), i, dx), 0, 1e-15); });
  EXPECT_NE((b.views[0][0, {{1, 1}}]), 0);
  EXPECT_NE((b.views[1][0, {{1, 1}}]), 0);
}

TEST(ConstrainedTransport,
     a_constant_electric_field_changes_nothing_and_one_along_x_changes_y_faces) {
  const Box<2> cells = Box<2>::cube(2);
  Faces b(cells);
  for (auto& of_axis : b.numbers) of_axis.assign(of_axis.size(), 1.0);
  const Box<2> nodes = Centring<2>::node().points(cells);
  std::vector<double> e(View<double, 2>::size_of(nodes, 1));
  const View<double, 2> view(e.data(), nodes, 1);
  for_each(nodes, [&](const Index<2>& i) { view[0, i] = 3 + 2 * i[0]; });

  add_curl(b.views, view, cells, 0.5, dx);

  EXPECT_EQ((b.views[0][0, {{2, 1}}]), 1);
  EXPECT_EQ((b.views[1][0, {{1, 2}}]), 1 + 0.5 * 2 / 0.25);
  EXPECT_EQ(mean_over_cell<2>(b.in(), {{0, 0}}), (Vec<2>{{1, 5}}));
}

TEST(ConstrainedTransport, the_curl_of_a_potential_is_its_slope_along_each_face) {
  const auto potential = [](const Index<2>& i) { return 3.0 * i[0] + 5.0 * i[1]; };
  EXPECT_EQ(curl_on_face(potential, 0, {{1, 1}}, dx), 5 / 0.5);
  EXPECT_EQ(curl_on_face(potential, 1, {{1, 1}}, dx), -3 / 0.25);
}

}  // namespace
}  // namespace thalweg::numerics
