// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <thalweg/core/random.hpp>
#include <thalweg/io/plotfile_read.hpp>
#include <thalweg/io/testing/passing_files.hpp>

#include "sample_plot.hpp"

namespace thalweg::io {
namespace {

template <int D>
Index<D> cropped(const Index<3>& i) {
  Index<D> out;
  for (int a = 0; a < D; ++a) out[a] = i[a];
  return out;
}

/// Read every number of the sample back and compare it with the formula.
template <int D>
void expect_round_trip(FileSystem& files, const std::string& path, int n_files,
                       NumberType numbers = NumberType::float64) {
  PlotDescription<D> written = sample_description<D>();
  written.numbers = numbers;
  ASSERT_TRUE(write_sample<D>(files, path, written, n_files));

  const auto plot = read_plotfile(files, path);

  ASSERT_TRUE(plot) << plot.error().message;
  EXPECT_EQ(plot->dimension, D);
  EXPECT_EQ(plot->variables, written.variables);
  EXPECT_EQ(plot->time, written.time);
  EXPECT_EQ(plot->step, written.step);
  EXPECT_EQ(plot->ratios, (std::vector<int>{2, 2}));
  ASSERT_EQ(plot->levels.size(), written.levels.size());
  for (std::size_t l = 0; l < plot->levels.size(); ++l) {
    const auto& records = plot->levels[l].records;
    ASSERT_EQ(records.size(), written.levels[l].boxes.size());
    for (std::size_t r = 0; r < records.size(); ++r) {
      EXPECT_EQ(cropped<D>(records[r].box.lo), written.levels[l].boxes[r].lo);
      EXPECT_EQ(cropped<D>(records[r].box.hi), written.levels[l].boxes[r].hi);
      const auto values = read_record(files, *plot, l, r);
      ASSERT_TRUE(values) << values.error().message;
      const View<const double, 3> cells(values->data(), records[r].box, 3);
      for (int c = 0; c < 3; ++c) {
        for_each(records[r].box, [&](const Index<3>& i) {
          EXPECT_EQ((cells[c, i]), sample_value(written, static_cast<int>(l), c, cropped<D>(i)));
        });
        const auto n = cells.component_stride();
        const auto [low, high] =
            std::minmax_element(values->begin() + c * n, values->begin() + (c + 1) * n);
        EXPECT_EQ(records[r].extrema[static_cast<std::size_t>(c)], (Extrema{*low, *high}));
      }
    }
  }
}

TEST(ReadPlotfile, gives_back_what_was_written_to_memory) {
  MemoryFileSystem files;
  expect_round_trip<1>(files, "a/plt1", 1);
  expect_round_trip<2>(files, "a/plt2", 3);
  expect_round_trip<3>(files, "a/plt3", 2);
}

TEST(ReadPlotfile, gives_back_what_was_written_in_single_precision) {
  MemoryFileSystem files;
  expect_round_trip<1>(files, "a/plt1", 1, NumberType::float32);
  expect_round_trip<2>(files, "a/plt2", 3, NumberType::float32);
  expect_round_trip<3>(files, "a/plt3", 2, NumberType::float32);
}

TEST(ReadPlotfile, gives_numbers_of_single_precision_rounded_and_says_their_extrema) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  MemoryFileSystem files;
  PlotDescription<1> plot;
  plot.variables = {"a"};
  plot.upper = {{1}};
  plot.levels = {
      {.domain = {{0}, {6}}, .cell_size = {{1.0 / 6}}, .boxes = {{{0}, {6}}}, .n_boxes = 1}};
  plot.numbers = NumberType::float32;
  const PlotfileWriter<1> writer("plt", plot, 1);
  ASSERT_TRUE(writer.prepare(files));
  const std::vector<double> cells{1.0 / 3, -1e-39, 1e39, -2, 16777217, 1.2e-38};
  WriteBuffer buffer(files);
  const auto extrema =
      writer.write_box(buffer, 0, 0, View<const double, 1>(cells.data(), {{0}, {6}}, 1));
  ASSERT_TRUE(extrema && buffer.flush());
  ASSERT_TRUE(finish_alone(writer, files, {*extrema}));

  const auto read = read_plotfile(files, "plt").value();
  EXPECT_EQ(read_record(files, read, 0, 0).value(),
            (std::vector<double>{1.0F / 3, 0, infinity, -2, 16777216, 1.2e-38F}));
  EXPECT_EQ(read.levels[0].records[0].extrema[0], (Extrema{-2, 16777216}));
  const std::string data = read_text(files, "plt/Level_0/Cell_D_00000").value();
  EXPECT_EQ(data.size(), data.find('\n') + 1 + 6 * sizeof(float));
}

TEST(ReadPlotfile, gives_back_what_was_written_to_disk) {
  PosixFileSystem files;
  const std::string folder =
      ::testing::TempDir() + "thalweg_plotfile_test_" + std::to_string(::getpid());
  expect_round_trip<1>(files, folder + "/plt1", 2);
  expect_round_trip<2>(files, folder + "/plt2", 1);
  expect_round_trip<3>(files, folder + "/plt3", 5);
  EXPECT_TRUE(files.remove(folder));
}

TEST(ReadPlotfile, missing_header_is_not_a_plotfile_and_a_checkpoint_is_called_one) {
  MemoryFileSystem files;
  ASSERT_TRUE(write_sample<2>(files, "plt", sample_description<2>(), 1));
  ASSERT_TRUE(files.remove("plt/Header"));
  ASSERT_TRUE(files.make_directory("out/chk00010"));
  ASSERT_TRUE(write_text(files, "out/chk00010/manifest", "thalweg checkpoint"));

  for (const std::string name : {"plt", "out"}) {
    const auto plot = read_plotfile(files, last_plotfile(files, name));
    ASSERT_FALSE(plot);
    EXPECT_TRUE(plot.error().message.starts_with("'" + name + "' is no plotfile and holds none"))
        << plot.error().message;
  }
  const auto plot = read_plotfile(files, "out/chk00010");
  ASSERT_FALSE(plot);
  EXPECT_TRUE(plot.error().message.starts_with("'out/chk00010' is a checkpoint"))
      << plot.error().message;
}

TEST(LastPlotfile, of_a_header_is_the_one_around_it) {
  MemoryFileSystem files;
  ASSERT_TRUE(write_sample<2>(files, "out/plt00002", sample_description<2>(), 1));
  EXPECT_EQ(last_plotfile(files, "out/plt00002/Header"), "out/plt00002");
  EXPECT_EQ(last_plotfile(files, "out/Header"), "out/Header");
}

TEST(ReadPlotfile, what_is_nothing_or_a_file_is_named_with_what_to_give) {
  MemoryFileSystem files;
  ASSERT_TRUE(files.write("notes", 0, std::as_bytes(std::span("text", 4))));

  EXPECT_EQ(read_plotfile(files, "plt").error().message,
            "'plt' does not exist; name a plotfile or a folder of results");
  EXPECT_EQ(read_plotfile(files, last_plotfile(files, "notes")).error().message,
            "'notes' is a file (a plotfile is a folder); name a plotfile or a folder of results");
}

TEST(ReadPlotfile, what_cannot_be_looked_at_is_not_said_to_be_something_else) {
  const std::string name(300, 'a');  // more than any system takes
  const auto plot = read_plotfile(PosixFileSystem(), last_plotfile(PosixFileSystem(), name));
  ASSERT_FALSE(plot);
  EXPECT_TRUE(plot.error().message.starts_with("cannot look at 'aaa")) << plot.error().message;
}

/// Files of another file system that are gone as soon as they have been read.
class VanishingFiles final : public testing::PassingFiles {
 public:
  using PassingFiles::PassingFiles;
  Result<void> read(const std::string& path, std::uint64_t offset,
                    std::span<std::byte> bytes) const override {
    const auto done = files_.read(path, offset, bytes);
    return done ? files_.remove(path) : done;
  }
};

TEST(ReadRecord, of_a_file_that_is_removed_meanwhile_is_a_failure) {
  MemoryFileSystem files;
  ASSERT_TRUE(write_sample<2>(files, "plt", sample_description<2>(), 1));
  const auto plot = read_plotfile(files, "plt");
  ASSERT_TRUE(plot);

  const auto values = read_record(VanishingFiles(files), *plot, 0, 0);

  ASSERT_FALSE(values);
  EXPECT_TRUE(values.error().message.starts_with("cannot read 'plt/Level_0/Cell_D_00000'"));
}

TEST(ReadPlotfile, damaged_tables_are_failures_with_file_and_line) {
  MemoryFileSystem files;
  ASSERT_TRUE(write_sample<2>(files, "plt", sample_description<2>(), 1));
  const std::string header = read_text(files, "plt/Header").value();
  const std::size_t third = header.find('\n', 15) + 1;  // the name of a variable
  for (const auto& [at, line] : {std::pair(std::size_t{0}, "1"), {15, "2"}, {third, "3"}}) {
    ASSERT_TRUE(write_text(files, "plt/Header", std::string(header).insert(at, "\x01")));
    const auto plot = read_plotfile(files, "plt");
    ASSERT_FALSE(plot) << line;
    const std::string& why = plot.error().message;
    EXPECT_NE(why.find(std::string("'plt/Header' line ") + line), std::string::npos) << why;
  }
}

TEST(ReadPlotfile, corners_domains_and_cell_sizes_that_contradict_each_other_are_failures) {
  MemoryFileSystem files;
  ASSERT_TRUE(write_sample<2>(files, "plt", sample_description<2>(), 1));
  const std::string header = read_text(files, "plt/Header").value();
  ASSERT_TRUE(read_plotfile(files, "plt"));
  for (const auto& [part, by] :
       {std::pair("-0.5 -0.5", "-0.5 0.5"), std::pair("0.5 0.5", "inf 0.7"),
        std::pair("-0.5 -0.5", "nan -0.5"), std::pair("2 2\n", "2 4\n"),
        std::pair("((0,0) (31,31)", "((0,0) (31,63)"),
        std::pair("((0,0) (63,63)", "((2,0) (65,63)"),
        std::pair("0.03125 0.03125", "0.03125 0.0625"),
        std::pair("0.03125 0.03125", "-0.03125 0.03125"),
        std::pair("0.03125 0.03125", "nan 0.03125")}) {
    const std::size_t at = header.find(part);
    ASSERT_NE(at, std::string::npos) << part << " not in\n" << header;
    ASSERT_TRUE(write_text(files, "plt/Header",
                           std::string(header).replace(at, std::string_view(part).size(), by)));
    const auto plot = read_plotfile(files, "plt");
    ASSERT_FALSE(plot) << by;
    EXPECT_NE(plot.error().message.find("'plt/Header' line "), std::string::npos) << by;
  }
}

TEST(ReadPlotfile, boxes_outside_the_domain_or_too_long_to_count_are_failures) {
  MemoryFileSystem files;
  ASSERT_TRUE(write_sample<2>(files, "plt", sample_description<2>(), 1));
  const std::string table = "plt/Level_1/Cell_H", whole = read_text(files, table).value();
  const std::size_t begin = whole.find("(("), end = whole.find('\n', begin);
  for (const std::string box :
       {"((0,0) (32,7) (0,0))", "((-1,0) (7,7) (0,0))", "((-1073741824,0) (1073741824,7) (0,0))"}) {
    ASSERT_TRUE(write_text(files, table, whole.substr(0, begin) + box + whole.substr(end)));
    EXPECT_FALSE(read_plotfile(files, "plt")) << box;
  }
}

/// Why a sample plotfile is refused in one of whose files a text has been replaced once.
std::string failure_after(const std::string& file, std::string_view text, std::string_view by) {
  MemoryFileSystem files;
  EXPECT_TRUE(write_sample<2>(files, "plt", sample_description<2>(), 1));
  std::string whole = read_text(files, file).value();
  const std::size_t at = whole.find(text);
  EXPECT_NE(at, std::string::npos) << text << " not in\n" << whole;
  EXPECT_TRUE(write_text(files, file, whole.replace(at, text.size(), by)));
  const auto plot = read_plotfile(files, "plt");
  return plot ? "" : plot.error().message;
}

TEST(ReadPlotfile, boxes_that_share_cells_are_a_failure_that_says_where) {
  for (const std::string_view box : {"((8,8) (15,15) (0,0))", "((9,8) (16,15) (0,0))"})
    EXPECT_NE(failure_after("plt/Level_1/Cell_H", "((16,8) (23,15) (0,0))", box), "");
  // Also where Header lists them so.
  PlotDescription<2> plot = sample_description<2>();
  plot.levels[2].boxes[3] = plot.levels[2].boxes[1].shifted({{-1, 1}});
  MemoryFileSystem files;
  ASSERT_TRUE(write_sample<2>(files, "plt", plot, 1));
  const auto read = read_plotfile(files, "plt");
  ASSERT_FALSE(read);
  const std::string& why = read.error().message;
  for (const char* part : {"'plt/Level_2/Cell_H'", "same cells ((31,25) (31,31) (0,0))", "damaged"})
    EXPECT_NE(why.find(part), std::string::npos) << part << " not in: " << why;
}

/// Why a plotfile is refused whose finest level, with cells from (0, 0) to (63, 63), has one box.
std::string failure_with_finest(const Box<2>& box) {
  PlotDescription<2> plot = sample_description<2>();
  plot.levels[2].boxes = {box};
  plot.levels[2].n_boxes = 1;
  MemoryFileSystem files;
  EXPECT_TRUE(write_sample<2>(files, "plt", plot, 1));
  const auto read = read_plotfile(files, "plt");
  return read ? "" : read.error().message;
}

TEST(ReadPlotfile, boxes_outside_of_the_next_coarser_level_are_a_failure_that_says_where) {
  EXPECT_EQ(failure_with_finest({{{16, 16}}, {{48, 48}}}), "");  // all of level 1
  const std::string why = failure_with_finest({{{16, 16}}, {{50, 48}}});
  EXPECT_TRUE(why.contains("'plt/Level_2/Cell_H': its boxes lie over cells ((24,")) << why;
  EXPECT_TRUE(why.contains("of level 1, which no box there has")) << why;
  EXPECT_NE(failure_with_finest({{{0, 0}}, {{8, 8}}}), "");
}

TEST(ReadPlotfile, boxes_that_end_inside_of_coarser_cells_are_a_failure) {
  for (const Box<2>& box : {Box<2>{{{17, 16}}, {{32, 32}}}, Box<2>{{{16, 16}}, {{32, 31}}}}) {
    const std::string why = failure_with_finest(box);
    EXPECT_TRUE(why.contains("ends inside of cells of level 1")) << why;
  }
}

TEST(ReadPlotfile, boxes_that_header_lists_otherwise_are_a_failure) {
  const std::string others = "Header has other edges for box ((8,8) (15,15) (0,0))";
  // Level 1 has cells of 1 / 32, and boxes from -0.25 on.
  EXPECT_NE(failure_after("plt/Header", "-0.25 0\n", "-0.25 0.0625\n").find(others),
            std::string::npos);
  EXPECT_EQ(failure_after("plt/Header", "-0.25 0\n", "-0.25 1e-9\n"), "");
  const std::string fewer =
      failure_after("plt/Header", "4 0.10000000000000001\n20\n-0.25 0\n-0.25 0\n", "3 0.1\n20\n");
  EXPECT_NE(fewer.find("'plt/Level_1/Cell_H': it has 4 boxes where Header lists 3"),
            std::string::npos)
      << fewer;
  const std::string more =
      failure_after("plt/Header", "4 0.10000000000000001\n20\n", "5 0.1\n20\n-0.25 0\n-0.25 0\n");
  EXPECT_NE(more.find("'plt/Level_0/Cell_H': it has 4 boxes where Header lists 5"),
            std::string::npos)
      << more;
}

TEST(ReadPlotfile, more_levels_than_any_mesh_has_are_a_failure) {
  const std::string why = failure_after("plt/Header", "01\n2\n", "01\n63\n");
  EXPECT_NE(why.find("the finest level in [0, 62]"), std::string::npos) << why;
}

TEST(ReadPlotfile, any_damage_gives_a_plotfile_or_a_failure) {
  MemoryFileSystem files;
  ASSERT_TRUE(write_sample<2>(files, "plt", sample_description<2>(), 1));
  SplitMix64 random(5);
  for (const std::string path : {"plt/Header", "plt/Level_1/Cell_H"}) {
    const std::string whole = read_text(files, path).value();
    for (int i = 0; i < 400; ++i) {
      std::string damaged = whole;
      const std::size_t at = random.below(damaged.size());
      if (random.below(4) == 0)
        damaged.resize(at);
      else
        damaged[at] = "0123456789 (),-.e\nx\x1b\xff"[random.below(21)];
      ASSERT_TRUE(write_text(files, path, damaged));
      const auto hash = hash_plotfile(files, "plt");  // must not crash or throw
      const auto is_shown = [](char c) { return c >= 0x20 && c < 0x7f; };
      if (!hash) {
        EXPECT_TRUE(std::ranges::all_of(hash.error().message, is_shown)) << hash.error().message;
      }
    }
    ASSERT_TRUE(write_text(files, path, whole));
  }
}

TEST(ReadRecord, wrong_offset_and_short_file_are_failures) {
  MemoryFileSystem files;
  ASSERT_TRUE(write_sample<2>(files, "plt", sample_description<2>(), 1));
  Plotfile plot = read_plotfile(files, "plt").value();

  plot.levels[0].records[1].offset += 1;
  EXPECT_FALSE(read_record(files, plot, 0, 1));

  std::string data = read_text(files, "plt/Level_1/Cell_D_00000").value();
  data.pop_back();
  ASSERT_TRUE(write_text(files, "plt/Level_1/Cell_D_00000", data));
  EXPECT_TRUE(read_record(files, plot, 1, 0));
  EXPECT_FALSE(read_record(files, plot, 1, 3));
}

/// Write a sample with boxes in another order, other files, or one number changed.
std::uint64_t hash_of(PlotDescription<2> plot, int n_files) {
  MemoryFileSystem files;
  EXPECT_TRUE(write_sample<2>(files, "plt", plot, n_files));
  return hash_plotfile(files, "plt").value();
}

TEST(HashPlotfile, is_blind_to_order_files_time_and_step) {
  const std::uint64_t hash = hash_of(sample_description<2>(), 1);
  PlotDescription<2> other = sample_description<2>();
  for (auto& level : other.levels) std::ranges::reverse(level.boxes);
  other.time = 7;
  other.step = 9;

  EXPECT_EQ(hash_of(other, 3), hash);
}

/// The hash of a plotfile of one box from (0, 0) on, all of its domain, that is full of ones.
std::uint64_t hash_of_ones(const Index<2>& n_cells) {
  MemoryFileSystem files;
  const Box<2> box{{}, n_cells};
  const PlotfileWriter<2> writer("plt",
                                 {.variables = {"a"},
                                  .upper = {{1, 1}},
                                  .levels = {{.domain = box,
                                              .cell_size = {{1.0 / n_cells[0], 1.0 / n_cells[1]}},
                                              .boxes = {box},
                                              .n_boxes = 1}}},
                                 1);
  EXPECT_TRUE(writer.prepare(files));
  std::vector<double> ones(static_cast<std::size_t>(box.n_cells()), 1.0);
  WriteBuffer buffer(files);
  const auto extrema = writer.write_box(buffer, 0, 0, {ones.data(), box, 1});
  EXPECT_TRUE(buffer.flush());
  EXPECT_TRUE(finish_alone(writer, files, {extrema.value()}));
  return hash_plotfile(files, "plt").value();
}

TEST(HashPlotfile, sees_every_number_and_every_box) {
  EXPECT_NE(hash_of_ones({{16, 8}}), hash_of_ones({{8, 16}}));

  const std::uint64_t hash = hash_of(sample_description<2>(), 1);
  PlotDescription<2> fewer = sample_description<2>();
  fewer.levels[2].boxes.pop_back();
  --fewer.levels[2].n_boxes;
  EXPECT_NE(hash_of(fewer, 1), hash);

  MemoryFileSystem files;
  ASSERT_TRUE(write_sample<2>(files, "plt", sample_description<2>(), 1));
  const std::string path = "plt/Level_2/Cell_D_00000";
  const std::uint64_t size = files.status(path).value()->size_bytes;
  const double last = std::numeric_limits<double>::quiet_NaN();
  ASSERT_TRUE(files.write(path, size - 8, std::as_bytes(std::span(&last, 1))));
  EXPECT_NE(hash_plotfile(files, "plt").value(), hash);
}

TEST(DiffPlotfiles, equal_numbers_in_another_order_do_not_differ) {
  MemoryFileSystem files;
  PlotDescription<3> other = sample_description<3>();
  for (auto& level : other.levels) std::ranges::reverse(level.boxes);
  ASSERT_TRUE(write_sample<3>(files, "a", sample_description<3>(), 1));
  ASSERT_TRUE(write_sample<3>(files, "b", other, 2));

  EXPECT_EQ(diff_plotfiles(files, "a", "b").value(), std::nullopt);
}

/// Change one number of a record of a plotfile, counted from the start of its numbers.
void change(FileSystem& files, const std::string& path, std::size_t level, std::size_t record,
            std::size_t position, double value) {
  const Plotfile plot = read_plotfile(files, path).value();
  const PlotRecord& where = plot.levels.at(level).records.at(record);
  const std::string text = read_text(files, path + "/" + where.file).value();
  const std::size_t start = text.find('\n', where.offset) + 1;
  ASSERT_TRUE(files.write(path + "/" + where.file, start + position * sizeof(double),
                          std::as_bytes(std::span(&value, 1))));
}

TEST(HashPlotfile, sees_on_which_level_a_box_lies) {
  // The same three boxes with the same numbers in the same order; the middle one on level 1 or 2.
  const auto box = [](int n) { return Box<1>{{{8 * n}}, {{8 * n + 8}}}; };
  const auto hash_with_middle_on = [&](std::size_t level) {
    PlotDescription<1> plot = sample_description<1>();
    plot.variables = {"density"};
    plot.levels[1].boxes = {Box<1>{{{0}}, {{16}}}};
    plot.levels[2].boxes = {box(3)};
    auto& boxes = plot.levels[level].boxes;
    boxes.insert(level == 1 ? boxes.end() : boxes.begin(), box(2));
    for (auto& l : plot.levels) l.n_boxes = l.boxes.size();
    MemoryFileSystem files;
    EXPECT_TRUE(write_sample<1>(files, "plt", plot, 1));
    for (std::size_t l = 1; l < 3; ++l)
      for (std::size_t b = 0; b < plot.levels[l].boxes.size(); ++b)
        for (std::size_t i = 0; i < std::size_t(plot.levels[l].boxes[b].extent(0)); ++i)
          change(files, "plt", l, b, i, 2.5);
    return hash_plotfile(files, "plt").value();
  };
  EXPECT_NE(hash_with_middle_on(1), hash_with_middle_on(2));
}

TEST(DiffPlotfiles, names_a_cell_of_a_box_that_is_higher_than_wide) {
  PlotDescription<2> plot = sample_description<2>();
  plot.levels[0].boxes = {{{{0, 0}}, {{8, 16}}}, {{{8, 0}}, {{16, 16}}}};
  plot.levels[0].n_boxes = 2;
  MemoryFileSystem files;
  ASSERT_TRUE(write_sample<2>(files, "a", plot, 1));
  ASSERT_TRUE(write_sample<2>(files, "b", plot, 1));
  change(files, "b", 0, 1, 11 * 8 + 5, 42.5);  // row 11, cell 5

  const std::string found = diff_plotfiles(files, "a", "b").value().value();

  EXPECT_NE(found.find("cell (13,11) density"), std::string::npos) << found;
}

TEST(DiffPlotfiles, names_the_first_cell_that_differs) {
  MemoryFileSystem files;
  ASSERT_TRUE(write_sample<2>(files, "a", sample_description<2>(), 1));
  ASSERT_TRUE(write_sample<2>(files, "b", sample_description<2>(), 1));
  change(files, "b", 1, 2, 64 + 3 * 8 + 5, 42.5);  // variable 1, row 3, cell 5

  const std::string found = diff_plotfiles(files, "a", "b").value().value();

  for (const char* part : {"level 1", "((8,16) (15,23) (0,0))", "(13,19)", "pressure", "42.5"})
    EXPECT_NE(found.find(part), std::string::npos) << part << " not in: " << found;
}

TEST(DiffPlotfiles, finds_its_way_in_three_dimensions) {
  MemoryFileSystem files;
  ASSERT_TRUE(write_sample<3>(files, "a", sample_description<3>(), 1));
  ASSERT_TRUE(write_sample<3>(files, "b", sample_description<3>(), 1));
  change(files, "b", 0, 7, 2 * 512 + 4 * 64 + 3 * 8 + 1, -0.0);  // the last variable is 0 there

  const std::string found = diff_plotfiles(files, "a", "b").value().value();

  for (const char* part :
       {"level 0", "((8,8,8) (15,15,15) (0,0,0))", "(9,11,12)", "level: 0 and -0"})
    EXPECT_NE(found.find(part), std::string::npos) << part << " not in: " << found;
}

TEST(DiffPlotfiles, names_what_only_one_of_them_has) {
  MemoryFileSystem files;
  PlotDescription<2> fewer_boxes = sample_description<2>();
  fewer_boxes.levels[2].boxes.erase(fewer_boxes.levels[2].boxes.begin());
  --fewer_boxes.levels[2].n_boxes;
  PlotDescription<2> fewer_levels = sample_description<2>();
  fewer_levels.levels.pop_back();
  PlotDescription<2> renamed = sample_description<2>();
  renamed.variables[2] = "rank";
  ASSERT_TRUE(write_sample<2>(files, "a", sample_description<2>(), 1));
  ASSERT_TRUE(write_sample<2>(files, "b", fewer_boxes, 1));
  ASSERT_TRUE(write_sample<2>(files, "c", fewer_levels, 1));
  ASSERT_TRUE(write_sample<2>(files, "d", renamed, 1));
  ASSERT_TRUE(write_sample<3>(files, "e", sample_description<3>(), 1));

  const std::string advice =
      " (blocks are compared one by one, and these are others); compare what 'line' or 'profile' "
      "print of both";
  for (const auto& [first, second] : {std::pair("a", "b"), std::pair("b", "a")})
    EXPECT_EQ(diff_plotfiles(files, first, second).value(),
              "level 2 box ((24,24) (31,31) (0,0)): only in 'a'" + advice);
  EXPECT_EQ(diff_plotfiles(files, "c", "a").value(), "level 2: only in 'a'" + advice);
  const auto names = diff_plotfiles(files, "a", "d").value();  // as many, of the same cells
  ASSERT_TRUE(names);
  EXPECT_TRUE(names->starts_with("one has variables [") && names->contains("rank]")) << *names;
  EXPECT_EQ(diff_plotfiles(files, "a", "e").value(), "one has 2 dimensions, the other 3");
  EXPECT_FALSE(diff_plotfiles(files, "a", "none"));
}

TEST(DiffPlotfiles, refuses_other_resolutions_whose_blocks_have_the_same_indices) {
  MemoryFileSystem files;
  auto plot = sample_description<2>();
  plot.levels.resize(1);
  ASSERT_TRUE(write_sample<2>(files, "a", plot, 1));
  plot.levels[0].domain.hi[1] *= 2;
  plot.levels[0].cell_size[1] /= 2;
  ASSERT_TRUE(write_sample<2>(files, "b", plot, 1));
  const auto found = diff_plotfiles(files, "a", "b").value().value_or("");
  EXPECT_TRUE(found.starts_with("level 0 has 16 x 16 cells in one and 16 x 32")) << found;
  EXPECT_EQ(norms_of_difference(files, "a", "b").value().other_mesh, found);
}

TEST(NormsOfDifference, are_those_of_each_variable_and_level) {
  MemoryFileSystem files;
  ASSERT_TRUE(write_sample<2>(files, "a", sample_description<2>(), 1));
  ASSERT_TRUE(write_sample<2>(files, "b", sample_description<2>(), 1));
  const Plotfile plot = read_plotfile(files, "a").value();
  const double before = read_record(files, plot, 1, 2).value()[64 + 3 * 8 + 5];
  change(files, "b", 1, 2, 64 + 3 * 8 + 5, before + 4);
  change(files, "b", 1, 2, 64, std::numeric_limits<double>::quiet_NaN());
  change(files, "b", 1, 2, 0, 1 + read_record(files, plot, 1, 2).value()[0]);

  const auto norms = norms_of_difference(files, "a", "b").value();

  EXPECT_EQ(norms.other_mesh, std::nullopt);
  const std::size_t n = plot.variables.size();
  ASSERT_EQ(norms.rows.size(), n * plot.levels.size());
  double n_cells = 0, scale = 0;
  for (std::size_t r = 0; r < plot.levels[1].records.size(); ++r) {
    const auto values = read_record(files, plot, 1, r).value();
    n_cells += static_cast<double>(values.size() / n);
    for (std::size_t i = 0; i < values.size() / n; ++i)
      scale = std::max(scale, std::abs(values[i]));
  }
  for (std::size_t k = 0; k < norms.rows.size(); ++k) {
    const auto& row = norms.rows[k];
    EXPECT_EQ(row.level, k / n);
    EXPECT_EQ(row.variable, plot.variables[k % n]);
    if (k == n) {
      EXPECT_EQ(row.largest, 1.0);
      EXPECT_EQ(row.mean, 1.0 / n_cells);
      EXPECT_EQ(row.relative(), 1.0 / scale);
    } else if (k == n + 1) {
      for (const double x : {row.largest, row.mean, row.relative()})
        EXPECT_TRUE(std::isnan(x) && !std::signbit(x)) << x;
    } else {
      EXPECT_EQ(row.largest, 0.0);
      EXPECT_EQ(row.mean, 0.0);
    }
  }
  EXPECT_FALSE(norms_of_difference(files, "a", "none"));
  ASSERT_TRUE(write_sample<3>(files, "c", sample_description<3>(), 1));
  EXPECT_EQ(norms_of_difference(files, "a", "c").value().other_mesh,
            "one has 2 dimensions, the other 3");
}

TEST(NormsOfDifference, are_relative_to_the_largest_finite_value) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  MemoryFileSystem files;
  for (const char* path : {"a", "b"}) {
    ASSERT_TRUE(write_sample<2>(files, path, sample_description<2>(), 1));
    change(files, path, 0, 0, 2, infinity);
  }
  change(files, "b", 0, 0, 1, -2e5);

  const auto row = norms_of_difference(files, "a", "b").value().rows[0];
  EXPECT_TRUE(std::isfinite(row.scale)) << row.scale;
  EXPECT_GT(row.relative(), 1e4);

  change(files, "b", 0, 0, 2, 1);
  EXPECT_EQ(norms_of_difference(files, "a", "b").value().rows[0].relative(), infinity);
}

TEST(NormsOfDifference, need_the_same_blocks_and_say_so) {
  MemoryFileSystem files;
  auto coarse = sample_description<2>();
  ASSERT_TRUE(write_sample<2>(files, "a", coarse, 1));
  coarse.levels.pop_back();
  ASSERT_TRUE(write_sample<2>(files, "b", coarse, 1));

  const auto other = norms_of_difference(files, "a", "b").value().other_mesh;
  ASSERT_TRUE(other);
  EXPECT_TRUE(other->starts_with("level 2: only in 'a' (norms need the same blocks")) << *other;
  EXPECT_NE(other->find("mesh.max_level=0"), std::string::npos) << *other;
}

}  // namespace
}  // namespace thalweg::io
