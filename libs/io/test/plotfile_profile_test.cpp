// SPDX-License-Identifier: MIT
#include <thalweg/io/plotfile_profile.hpp>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sample_plot.hpp"

namespace thalweg::io {
namespace {

constexpr std::array ratios_of_samples{std::array{2, 2}, std::array{4, 2}, std::array{2, 4}};
const std::vector<std::size_t> all_variables{0, 1, 2};

template <int D>
Plotfile sample(FileSystem& files, std::array<int, 2> ratios) {
  EXPECT_TRUE(write_sample<D>(files, "plt", sample_description<D>(ratios), 3));
  return read_plotfile(files, "plt").value();
}

/// Holds the cells on a line to their formula: they follow each other from one end of the domain to
/// the other, each on the finest level that there is.
template <int D>
void expect_line(std::array<int, 2> ratios, int axis, const Vec<3>& at) {
  MemoryFileSystem files;
  const auto plot = sample<D>(files, ratios);
  const auto line = cells_on_line(files, plot, axis, at, all_variables);
  ASSERT_TRUE(line) << line.error().message;
  double end = -0.5;
  for (const LineCell& cell : *line) {
    EXPECT_EQ(cell.place - 0.5 * cell.width, end);
    end = cell.place + 0.5 * cell.width;
    EXPECT_EQ(cell.width, plot.levels[cell.level].cell_size[0]);
    // Level 1 reaches a ratio's part of the domain, level 2 a part of that.
    double farthest = std::abs(cell.place);
    for (int a = 0; a < D; ++a)
      if (a != axis) farthest = std::max(farthest, std::abs(at[a] + 1e-9));
    const std::size_t finest = farthest < 0.5 / (ratios[0] * ratios[1]) ? 2
                               : farthest < 0.5 / ratios[0]             ? 1
                                                                        : 0;
    EXPECT_EQ(cell.level, finest) << cell.place;
    double density = 1;
    for (int a = 0; a < D; ++a) {
      const double h = cell.width;
      const double x = a == axis ? cell.place : (std::floor((at[a] + 0.5) / h) + 0.5) * h - 0.5;
      density += (1 << a) * x;
    }
    ASSERT_EQ(cell.values.size(), 3u);
    EXPECT_EQ(cell.values[0], density);
    EXPECT_EQ(cell.values[2], static_cast<double>(cell.level));
  }
  EXPECT_EQ(end, 0.5);
}

TEST(CellsOnLine, are_the_finest_there_are_from_end_to_end) {
  for (const auto ratios : ratios_of_samples) {
    expect_line<1>(ratios, 0, {});
    for (const double y : {-0.5, -0.3, -0.01, 0.0, 0.2, 0.499})
      for (const int axis : {0, 1}) expect_line<2>(ratios, axis, {{y, y, 0}});
    for (const int axis : {0, 1, 2}) {
      expect_line<3>(ratios, axis, {{0.01, 0.01, 0.01}});
      expect_line<3>(ratios, axis, {{-0.2, 0.01, 0.4}});
    }
  }
}

TEST(CellsOnLine, say_where_the_domain_is) {
  MemoryFileSystem files;
  const auto plot = sample<2>(files, {2, 2});
  EXPECT_EQ(cells_on_line(files, plot, 0, {{0, 0.5, 0}}, all_variables)->front().values,
            cells_on_line(files, plot, 0, {{0, 0.499, 0}}, all_variables)->front().values);
  for (const double y : {-0.51, 0.51, std::nan("")}) {
    const auto line = cells_on_line(files, plot, 0, {{0, y, 0}}, all_variables);
    ASSERT_FALSE(line) << y;
    EXPECT_NE(line.error().message.find("y from -0.5 to 0.5"), std::string::npos)
        << line.error().message;
  }
}

TEST(CellsOnLine, along_a_face_are_the_upper_ones_however_its_place_is_rounded) {
  MemoryFileSystem files;
  const auto plot = sample<2>(files, {2, 4});
  const auto values = [&](double y) {
    return cells_on_line(files, plot, 0, {{0, y, 0}}, all_variables)->front().values;
  };
  EXPECT_EQ(values(0.0 - 1e-13), values(0.0));
  EXPECT_NE(values(0.0 - 1e-6), values(0.0));
}

/// A sample whose level 0 has no box in the upper right, and level 1 only one in the lower left.
Plotfile sample_with_a_hole(FileSystem& files) {
  auto plot = sample_description<2>();
  plot.levels.pop_back();
  plot.levels[0].boxes.pop_back();
  plot.levels[1].boxes.resize(1);
  for (auto& level : plot.levels) level.n_boxes = level.boxes.size();
  EXPECT_TRUE(write_sample<2>(files, "plt", plot, 1));
  return read_plotfile(files, "plt").value();
}

TEST(CellsOnLine, are_those_that_there_are_where_level_0_leaves_a_part_of_the_domain_out) {
  MemoryFileSystem files;
  const auto plot = sample_with_a_hole(files);
  const auto line = cells_on_line(files, plot, 0, {{0, 0.2, 0}}, all_variables);
  ASSERT_TRUE(line) << line.error().message;
  EXPECT_EQ(line->size(), 8u);
  EXPECT_EQ(line->back().place + 0.5 * line->back().width, 0);
}

TEST(CellsOnLine, are_not_where_no_box_has_any) {
  MemoryFileSystem files;
  auto plot = sample_with_a_hole(files);
  plot.levels[0].records.pop_back();  // so that nothing has y > 0
  const auto line = cells_on_line(files, plot, 0, {{0, 0.2, 0}}, all_variables);
  ASSERT_FALSE(line);
  EXPECT_TRUE(line.error().message.starts_with("a line on which 'plt' has no cells"))
      << line.error().message;
}

TEST(ShellsAround, have_the_volume_that_there_is_where_level_0_leaves_a_part_of_the_domain_out) {
  MemoryFileSystem files;
  const auto plot = sample_with_a_hole(files);
  const auto shells = shells_around(files, plot, {}, 1, all_variables).value();
  ASSERT_EQ(shells.size(), 1u);
  EXPECT_DOUBLE_EQ(shells[0].volume, 0.75);
}

TEST(VariablesOf, a_plotfile_are_found_by_name) {
  MemoryFileSystem files;
  const auto plot = sample<1>(files, {2, 2});
  EXPECT_EQ(variables_of(plot, {}).value(), all_variables);
  EXPECT_EQ(variables_of(plot, std::vector<std::string>{"level", "density"}).value(),
            (std::vector<std::size_t>{2, 0}));
  const auto none = variables_of(plot, std::vector<std::string>{"rho"});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("density, pressure, level"), std::string::npos);
  const auto twice = variables_of(plot, std::vector<std::string>{"level", "density", "level"});
  ASSERT_FALSE(twice);
  EXPECT_NE(twice.error().message.find("'level' is named twice"), std::string::npos);
}

/// All shells together hold the volume of the domain once, and the mean of a function that is
/// linear there is its value at the centre.
template <int D>
void expect_shells(std::array<int, 2> ratios) {
  MemoryFileSystem files;
  const auto plot = sample<D>(files, ratios);
  for (const int n_shells : {1, 7, 200}) {
    const auto shells = shells_around(files, plot, {}, n_shells, all_variables);
    ASSERT_TRUE(shells) << shells.error().message;
    double volume = 0, before = 0;
    const double width = std::sqrt(0.25 * D) / n_shells;
    for (const Shell& shell : *shells) {
      EXPECT_GT(shell.radius, before);
      before = shell.radius;
      volume += shell.volume;
      EXPECT_NEAR(shell.means[0], 1, 1e-14);
      // The second variable is the square of the distance and an eighth.
      const double low = shell.radius - 0.5 * width, high = shell.radius + 0.5 * width;
      EXPECT_GE(shell.means[1], 0.125 + low * low - 1e-14);
      EXPECT_LE(shell.means[1], 0.125 + high * high + 1e-14);
    }
    EXPECT_NEAR(volume, 1, 1e-14);
  }
}

TEST(ShellsAround, hold_each_place_once_by_its_distance) {
  for (const auto ratios : ratios_of_samples) {
    expect_shells<1>(ratios);
    expect_shells<2>(ratios);
    expect_shells<3>(ratios);
  }
}

TEST(ShellsAround, are_not_where_distances_are_no_numbers) {
  MemoryFileSystem files;
  const auto plot = sample<2>(files, {2, 2});
  const std::vector<std::size_t> first{0};
  EXPECT_TRUE(shells_around(files, plot, {{1e150, 0, 0}}, 4, first));
  const auto none = shells_around(files, plot, {{1e200, 0, 0}}, 4, first);
  ASSERT_FALSE(none);
  EXPECT_TRUE(none.error().message.starts_with("the centre 1e+200,0 (")) << none.error().message;
}

TEST(ShellsAround, are_around_the_centre_that_is_given) {
  MemoryFileSystem files;
  const auto plot = sample<1>(files, {2, 2});
  const auto shells =
      shells_around(files, plot, {{-0.5, 0, 0}}, 16, std::vector<std::size_t>{0}).value();
  ASSERT_EQ(shells.size(), 16u);  // each as wide as a cell of level 0
  for (const Shell& shell : shells) EXPECT_DOUBLE_EQ(shell.means[0], 0.5 + shell.radius);
  EXPECT_EQ(shells[0].n_cells, 1);
  EXPECT_EQ(shells[8].n_cells, 4);
}

}  // namespace
}  // namespace thalweg::io
