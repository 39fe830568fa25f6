// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <thalweg/io/plotfile.hpp>
#include <thalweg/io/plotfile_read.hpp>
#include <thalweg/io/shared_text.hpp>
#include <thalweg/io/testing/failing_files.hpp>
#include <thalweg/io/testing/simulated_disk.hpp>

#include "sample_plot.hpp"

namespace thalweg::io {
namespace {

/// One level of two boxes of 2 x 2 cells; small enough to check by hand.
PlotDescription<2> two_boxes() {
  return {.variables = {"a", "b"},
          .time = 0.25,
          .step = 3,
          .lower = {{0, 0}},
          .upper = {{2, 1}},
          .levels = {{.domain = {{{0, 0}}, {{4, 2}}},
                      .cell_size = {{0.5, 0.5}},
                      .boxes = {{{{0, 0}}, {{2, 2}}}, {{{2, 0}}, {{4, 2}}}},
                      .n_boxes = 2}}};
}

std::string error_of(const PlotDescription<2>& plot, int n_files = 1) {
  try {
    PlotfileWriter<2>("plt", plot, n_files);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(PlotfileWriter, record_is_the_header_line_and_the_cells_without_ghosts) {
  MemoryFileSystem files;
  const PlotfileWriter<2> writer("plt", two_boxes(), 1);
  ASSERT_TRUE(writer.prepare(files));
  std::vector<double> storage(2 * 4 * 4);
  const View<double, 2> cells(storage.data(), Box<2>{{{1, -1}}, {{5, 3}}}, 2);
  for (std::size_t i = 0; i < storage.size(); ++i) storage[i] = static_cast<double>(i);

  WriteBuffer buffer(files);
  const auto extrema = writer.write_box(buffer, 0, 1, cells);

  ASSERT_TRUE(extrema);
  ASSERT_TRUE(buffer.flush());
  EXPECT_EQ(*extrema, (std::vector<Extrema>{{5, 10}, {21, 26}}));
  const std::string first =
      "FAB ((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1)))((0,0) (1,1) (0,0)) 2\n";
  const std::string second =
      "FAB ((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1)))((2,0) (3,1) (0,0)) 2\n";
  const std::string file = read_text(files, "plt.tmp/Level_0/Cell_D_00000").value();
  const std::size_t offset = first.size() + 8 * sizeof(double);
  ASSERT_EQ(file.size(), offset + second.size() + 8 * sizeof(double));
  EXPECT_EQ(file.substr(offset, second.size()), second);
  std::vector<double> values(8);
  std::memcpy(values.data(), file.data() + offset + second.size(), 8 * sizeof(double));
  EXPECT_EQ(values, (std::vector<double>{5, 6, 9, 10, 21, 22, 25, 26}));
}

TEST(PlotfileWriter, extrema_pass_over_what_is_no_number_wherever_it_is) {
  MemoryFileSystem files;
  const PlotfileWriter<2> writer("plt", two_boxes(), 1);
  ASSERT_TRUE(writer.prepare(files));
  using Limits = std::numeric_limits<double>;
  for (const double none : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()})
    for (const std::size_t place : {0u, 3u}) {
      std::vector<double> storage{4, 1, 2, 3, 1, 1, 1, 1};
      storage[place] = none;
      WriteBuffer buffer(files);
      const auto extrema =
          writer.write_box(buffer, 0, 0, View<double, 2>(storage.data(), Box<2>{{}, {{2, 2}}}, 2));
      ASSERT_TRUE(extrema);
      EXPECT_EQ((*extrema)[0], place == 0 ? (Extrema{1, 3}) : (Extrema{1, 4})) << none;
      EXPECT_EQ((*extrema)[1], (Extrema{1, 1}));
    }
}

TEST(PlotfileWriter, tables_are_as_the_format_says) {
  MemoryFileSystem files;
  const PlotfileWriter<2> writer("plt", two_boxes(), 2);
  ASSERT_TRUE(writer.prepare(files));

  ASSERT_TRUE(finish_alone(writer, files, {{{0, 1}, {2, 3}, {-1, 0.5}, {4, 5}}}));

  EXPECT_EQ(
      read_text(files, "plt/Header").value(),
      "HyperCLaw-V1.1\n2\na\nb\n2\n0.25\n0\n0 0\n2 1\n\n((0,0) (3,1) (0,0))\n3\n0.5 0.5\n0\n0\n"
      "0 2 0.25\n3\n0 1\n0 1\n1 2\n0 1\nLevel_0/Cell\n");
  EXPECT_EQ(read_text(files, "plt/Level_0/Cell_H").value(),
            "1\n1\n2\n0\n(2 0\n((0,0) (1,1) (0,0))\n((2,0) (3,1) (0,0))\n)\n2\n"
            "FabOnDisk: Cell_D_00000 0\nFabOnDisk: Cell_D_00001 0\n\n2,2\n"
            "0.00000000000000000e+00,2.00000000000000000e+00,\n"
            "-1.00000000000000000e+00,4.00000000000000000e+00,\n\n2,2\n"
            "1.00000000000000000e+00,3.00000000000000000e+00,\n"
            "5.00000000000000000e-01,5.00000000000000000e+00,\n");
}

TEST(PlotfileWriter, header_has_the_steps_of_each_level) {
  for (const bool is_subcycled : {false, true}) {
    auto plot = sample_description<1>(std::array{2, 4});
    plot.step = 3;
    plot.is_subcycled = is_subcycled;
    MemoryFileSystem files;
    ASSERT_TRUE(write_sample<1>(files, "plt", plot, 1));
    const auto header = read_text(files, "plt/Header").value();
    EXPECT_NE(header.find(is_subcycled ? "\n3 6 24\n" : "\n3 3 3\n"), std::string::npos) << header;
    EXPECT_NE(header.find(is_subcycled ? "\n24\n" : "\n3\n"), std::string::npos) << header;
    EXPECT_EQ(read_plotfile(files, "plt").value().step, 3);
  }
}

TEST(PlotfileWriter, steps_of_fine_levels_stay_within_the_int_of_readers) {
  auto plot = sample_description<1>(std::array{2, 4});
  plot.is_subcycled = true;
  for (const auto& [step, steps] :
       {std::pair(std::int64_t{300'000'000}, "\n300000000 600000000 2147483647\n"),
        std::pair(std::int64_t{1} << 62, "\n2147483647 2147483647 2147483647\n")}) {
    plot.step = step;
    MemoryFileSystem files;
    ASSERT_TRUE(write_sample<1>(files, "plt", plot, 1));
    const auto header = read_text(files, "plt/Header").value();
    EXPECT_NE(header.find(steps), std::string::npos) << header;
  }
}

TEST(PlotfileWriter, header_has_the_ratio_of_each_level_to_the_next) {
  const auto header_of = [](std::array<int, 2> ratios) {
    MemoryFileSystem files;
    EXPECT_TRUE(write_sample<1>(files, "plt", sample_description<1>(ratios), 1));
    return read_text(files, "plt/Header").value();
  };
  const std::string before = "1\n0.10000000000000001\n2\n-0.5\n0.5\n";
  EXPECT_NE(header_of({2, 2}).find(before + "2 2\n((0) (15) (0)) ((0) (31) (0)) ((0) (63) (0))\n"),
            std::string::npos);
  EXPECT_NE(header_of({2, 4}).find(before + "2 4\n((0) (15) (0)) ((0) (31) (0)) ((0) (127) (0))\n"),
            std::string::npos);
  EXPECT_NE(header_of({4, 2}).find(before + "4 2\n((0) (15) (0)) ((0) (63) (0)) ((0) (127) (0))\n"),
            std::string::npos);
}

TEST(PlotfileWriter, index_domain_need_not_begin_at_zero) {
  MemoryFileSystem files;
  PlotDescription<2> plot = two_boxes();
  plot.levels[0].domain = plot.levels[0].domain.shifted({{-2, 6}});
  for (Box<2>& box : plot.levels[0].boxes) box = box.shifted({{-2, 6}});
  const PlotfileWriter<2> writer("plt", plot, 1);
  ASSERT_TRUE(writer.prepare(files));

  ASSERT_TRUE(finish_alone(writer, files, {{{}, {}, {}, {}}}));

  EXPECT_NE(read_text(files, "plt/Header").value().find("3\n0 1\n0 1\n1 2\n0 1\nLevel_0/Cell\n"),
            std::string::npos);
}

TEST(PlotfileWriter, writers_lines_follow_each_other_under_headings_they_all_know) {
  PlotDescription<2> first = two_boxes(), second = two_boxes();
  first.levels[0].boxes.pop_back();
  second.levels[0].boxes.erase(second.levels[0].boxes.begin());
  second.levels[0].first_box = 1;
  second.levels[0].first_offset = data_fill(first.levels[0], {2}, 1).n_bytes;
  const PlotfileWriter<2> all("plt", two_boxes(), 1), a("plt", first, 1), b("plt", second, 1);
  const auto expect_parts = [](const SharedText& whole, const SharedText& x, const SharedText& y) {
    ASSERT_EQ(x.size(), whole.size());
    ASSERT_EQ(y.size(), whole.size());
    for (std::size_t s = 0; s < whole.size(); ++s) {
      EXPECT_EQ(x[s].heading, whole[s].heading);
      EXPECT_EQ(y[s].heading, whole[s].heading);
      EXPECT_EQ(x[s].lines + y[s].lines, whole[s].lines);
    }
  };

  expect_parts(all.header(), a.header(), b.header());
  expect_parts(all.table(0, {{0, 1}, {2, 3}, {-1, 0.5}, {4, 5}}), a.table(0, {{0, 1}, {2, 3}}),
               b.table(0, {{-1, 0.5}, {4, 5}}));
}

TEST(PlotfileWriter, one_that_is_replaced_stays_whole_until_the_new_one_is_there) {
  const auto plot_at = [](double time) {
    auto description = sample_description<1>({2, 2});
    description.time = time;
    return description;
  };
  std::uint64_t first = 0;
  for (bool is_reached = true; is_reached; ++first)
    for (const std::uint64_t n_failing : {1u, 1u << 20}) {
      MemoryFileSystem disk;
      ASSERT_TRUE(write_sample<1>(disk, "out/plt", plot_at(1), 1));
      testing::FailingFiles files(disk);
      files.plan({.first = first, .n_operations = n_failing});

      const auto done = write_sample<1>(files, "out/plt", plot_at(2), 1);

      is_reached = files.n_operations() > first;
      // Between the two renamings a machine may stop: then the old one has its other name.
      const bool is_between = n_failing > 1 && !disk.status("out/plt").value();
      const auto there = read_plotfile(disk, is_between ? "out/plt.trash" : "out/plt");
      ASSERT_TRUE(there) << first << ": " << there.error().message;
      EXPECT_EQ(there->time, done ? 2 : 1) << first;
    }
  EXPECT_GT(first, 20u);
}

TEST(DataFill, of_rows_is_that_of_all_their_boxes_wherever_they_are_cut) {
  const PlotLevel<3> all = sample_description<3>().levels[1];
  for (const int n_files : {1, 3, 4, 100}) {
    const DataFill expected = data_fill(all, {3}, n_files);
    EXPECT_EQ(expected.n_begun, std::min<std::size_t>(all.n_boxes, n_files));
    for (std::size_t cut = 0; cut <= all.n_boxes; ++cut) {
      PlotLevel<3> before = all, after = all;
      before.boxes.resize(cut);
      after.boxes.erase(after.boxes.begin(), after.boxes.begin() + cut);
      after.first_box = cut;

      const DataFill joined = data_fill(before, {3}, n_files).then(data_fill(after, {3}, n_files));

      EXPECT_EQ(joined.n_begun, expected.n_begun) << n_files << " files, cut at " << cut;
      EXPECT_EQ(joined.n_bytes, expected.n_bytes) << n_files << " files, cut at " << cut;
    }
  }
}

TEST(PlotfileWriter, replaces_what_is_left_of_one_and_no_work_of_others) {
  MemoryFileSystem files;
  const auto prepare = [&] {
    return PlotfileWriter<2>("plt", sample_description<2>(), 1).prepare(files);
  };
  for (const std::string path : {"plt.tmp", "plt.trash"}) {
    ASSERT_TRUE(files.make_directory(path + "/thesis"));
    const auto refused = prepare();
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("'" + path + "' is of no plotfile"), std::string::npos);
    EXPECT_TRUE(files.status(path + "/thesis").value());
    ASSERT_TRUE(files.remove(path));
    ASSERT_TRUE(files.make_file(path));
    EXPECT_FALSE(prepare());
    ASSERT_TRUE(files.remove(path));
    for (const char* name : {"Header", "deck.toml", "deck.toml.tmp", "deck.toml.1.tmp", "field.csv",
                             "field.csv.tmp"}) {
      ASSERT_TRUE(files.make_directory(path));
      ASSERT_TRUE(files.make_file(path + "/" + name));
    }
    EXPECT_TRUE(prepare());
    EXPECT_TRUE(prepare());
  }
}

TEST(PlotfileWriter, has_another_name_until_it_is_whole) {
  MemoryFileSystem files;
  ASSERT_TRUE(PlotfileWriter<2>("plt", sample_description<2>(), 1).prepare(files));
  EXPECT_EQ(files.list(".").value(), std::vector<std::string>{"plt.tmp"});

  auto plot = sample_description<2>();
  plot.deck = "[problem]\n";
  plot.field = "x [length]\n0\n";
  ASSERT_TRUE(write_sample<2>(files, "plt", plot, 1));

  EXPECT_EQ(files.list(".").value(), std::vector<std::string>{"plt"});
  EXPECT_EQ(files.list("plt").value(),
            (std::vector<std::string>{"Header", "Level_0", "Level_1", "Level_2", "deck.toml",
                                      "field.csv"}));
  EXPECT_EQ(read_text(files, "plt/deck.toml").value(), plot.deck);
  EXPECT_EQ(read_text(files, "plt/field.csv").value(), plot.field);
}

TEST(PlotfileWriter, takes_the_place_of_an_older_one) {
  MemoryFileSystem files;
  ASSERT_TRUE(write_sample<2>(files, "plt", sample_description<2>(), 3));
  ASSERT_TRUE(files.write("plt/Level_2/Cell_D_00009", 0, std::as_bytes(std::span("old"))));

  ASSERT_TRUE(write_sample<2>(files, "plt", sample_description<2>(), 1));

  EXPECT_EQ(files.list("plt/Level_2").value(),
            (std::vector<std::string>{"Cell_D_00000", "Cell_H"}));
}

TEST(PlotfileWriter, survives_a_loss_of_power_once_it_has_its_name) {
  testing::SimulatedDisk disk;
  ASSERT_TRUE(disk.make_directory("out"));
  ASSERT_TRUE(disk.sync("."));
  ASSERT_TRUE(write_sample<2>(disk, "out/plt", sample_description<2>(), 2));
  testing::PowerLoss loss(disk.journal());
  int n_whole = 0;
  while (loss.next()) {
    testing::SimulatedDisk after(loss.durable());
    if (!after.status("out/plt").value()) continue;
    ++n_whole;
    EXPECT_TRUE(hash_plotfile(after, "out/plt"));
  }
  EXPECT_GT(n_whole, 0);
}

TEST(PlotfileWriter, successive_boxes_share_as_few_files_as_asked) {
  for (const int n_files : {1, 3, 4, 100}) {
    MemoryFileSystem files;

    ASSERT_TRUE(write_sample<3>(files, "plt", sample_description<3>(), n_files));

    const std::size_t n_boxes = 8;
    EXPECT_EQ(files.list("plt/Level_1").value().size(),
              1 + std::min(n_boxes, static_cast<std::size_t>(n_files)));
    // The first ones, so that none is missing in between.
    EXPECT_TRUE(
        files.status(fmt::format("plt/Level_1/Cell_D_{:05}", std::min(8, n_files) - 1)).value());
  }
}

TEST(PlotfileWriter, bad_names_are_refused_by_name) {
  PlotDescription<2> plot = two_boxes();
  for (const char* name : {"density rho", "", "rho/V", "d\n"}) {
    plot.variables[1] = name;
    EXPECT_NE(error_of(plot).find("'" + std::string(name) + "'"), std::string::npos) << name;
  }
  plot.variables[1] = "a";
  EXPECT_NE(error_of(plot).find("twice"), std::string::npos);
  EXPECT_NE(error_of(plot).find("output.derived"), std::string::npos);
}

TEST(PlotfileWriter, bad_levels_and_boxes_are_refused_by_number) {
  EXPECT_EQ(error_of(two_boxes()), "");
  EXPECT_NE(error_of(two_boxes(), 0).find("n_files = 0"), std::string::npos);

  PlotDescription<2> outside = two_boxes();
  outside.levels[0].boxes[1].hi[0] = 5;
  EXPECT_NE(error_of(outside).find("((2,0) (4,1) (0,0))"), std::string::npos) << error_of(outside);

  PlotDescription<2> empty = two_boxes();
  empty.levels.push_back(
      {.domain = {{{0, 0}}, {{8, 4}}}, .cell_size = {{0.25, 0.25}}, .boxes = {}});
  EXPECT_NE(error_of(empty).find("level 1"), std::string::npos);

  PlotDescription<2> skew = two_boxes();
  skew.levels.push_back({.domain = {{{0, 0}}, {{8, 8}}},
                         .cell_size = {{0.25, 0.125}},
                         .boxes = {Box<2>::cube(8)},
                         .n_boxes = 1});
  EXPECT_NE(error_of(skew).find("((0,0) (7,7) (0,0)) of level 1"), std::string::npos);
}

TEST(PlotfileWriter, failure_of_the_file_system_comes_back) {
  MemoryFileSystem files;
  ASSERT_TRUE(files.write("plt", 0, std::as_bytes(std::span("in the way"))));
  const PlotfileWriter<2> writer("plt/deep", two_boxes(), 1);
  const std::vector<double> storage(2 * 2 * 2);
  const View<const double, 2> cells(storage.data(), Box<2>::cube(2), 2);

  EXPECT_FALSE(writer.prepare(files));
  WriteBuffer buffer(files);
  EXPECT_TRUE(writer.write_box(buffer, 0, 0, cells));
  EXPECT_FALSE(buffer.flush());
  EXPECT_FALSE(finish_alone(writer, files, {{{}, {}, {}, {}}}));
}

}  // namespace
}  // namespace thalweg::io
