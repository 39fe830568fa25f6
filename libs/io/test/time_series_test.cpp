// SPDX-License-Identifier: MIT
#include <thalweg/io/time_series.hpp>

#include <vector>

#include <gtest/gtest.h>

namespace thalweg::io {
namespace {

const std::vector<Column> columns{{"time", "time"}, {"mass"}};

void append(TimeSeries& series, std::int64_t step, double time, double mass) {
  const std::vector<double> values{time, mass};
  EXPECT_TRUE(series.append(step, values));
}

TEST(TimeSeries, has_a_header_with_units_and_numbers_that_read_back) {
  MemoryFileSystem files;
  TimeSeries series(files, "s.csv", columns);
  ASSERT_TRUE(series.begin());
  append(series, 0, 0.0, 0.1);
  append(series, 10, 1.0 / 3.0, 1e-300);

  EXPECT_EQ(*read_text(files, "s.csv"),
            "step [steps],time [time],mass\n0,0,0.1\n10,0.3333333333333333,1e-300\n");
}

TEST(TimeSeries, goes_on_without_the_lines_that_will_come_again) {
  MemoryFileSystem files;
  TimeSeries first(files, "s.csv", columns);
  ASSERT_TRUE(first.begin());
  for (const int step : {0, 10, 20, 30}) append(first, step, 0.1 * step, 1.0);
  const auto whole = *read_text(files, "s.csv");

  TimeSeries second(files, "s.csv", columns);
  ASSERT_TRUE(second.go_on(15));
  EXPECT_EQ(read_text(files, "s.csv")->find("20,"), std::string::npos);
  append(second, 20, 0.1 * 20, 1.0);
  append(second, 30, 0.1 * 30, 1.0);

  EXPECT_EQ(*read_text(files, "s.csv"), whole);
}

TEST(TimeSeries, keeps_the_line_of_the_step_it_goes_on_from) {
  MemoryFileSystem files;
  TimeSeries first(files, "s.csv", columns);
  ASSERT_TRUE(first.begin());
  for (const int step : {0, 10, 20}) append(first, step, 0.5 * step, 1.0);

  TimeSeries second(files, "s.csv", columns);
  ASSERT_TRUE(second.go_on(10));

  EXPECT_EQ(second.last_step(), 10);
  EXPECT_EQ(*read_text(files, "s.csv"), "step [steps],time [time],mass\n0,0,1\n10,5,1\n");
}

TEST(TimeSeries, drops_a_torn_line) {
  MemoryFileSystem files;
  ASSERT_TRUE(write_text(files, "s.csv", "step [steps],time [time],mass\n0,0,1\n10,0.1"));
  TimeSeries series(files, "s.csv", columns);
  ASSERT_TRUE(series.go_on(10));
  append(series, 10, 0.125, 1.0);

  EXPECT_EQ(*read_text(files, "s.csv"), "step [steps],time [time],mass\n0,0,1\n10,0.125,1\n");
}

TEST(TimeSeries, names_a_line_that_is_none_and_leaves_all_as_it_is) {
  for (const std::string line : {"?,0.1,1", "1x,0.1,1", "1,0.1", "1,0.1,1,1", "1", "", "0,0.1,1"}) {
    MemoryFileSystem files;
    const std::string text = "step [steps],time [time],mass\n0,0,1\n" + line + "\n2,0.2,1\n";
    ASSERT_TRUE(write_text(files, "s.csv", text));
    TimeSeries series(files, "s.csv", columns);
    const auto checked = series.check(10);
    ASSERT_FALSE(checked) << line;
    EXPECT_TRUE(checked.error().message.starts_with("'s.csv' line 3 is damaged")) << line;
    EXPECT_FALSE(series.go_on(10));
    EXPECT_EQ(*read_text(files, "s.csv"), text);
  }
}

TEST(TimeSeries, drops_what_is_no_line_behind_the_step_it_goes_on_from) {
  const std::string kept = "step [steps],time [time],mass\n0,0,1\n10,0.5,1\n";
  for (const std::string behind : {"\n", "20,0.5\n", "?\n30,1,1\n", "20,1,1\n\n", "5,1,1\n"}) {
    MemoryFileSystem files;
    ASSERT_TRUE(write_text(files, "s.csv", kept + behind));
    TimeSeries series(files, "s.csv", columns);
    EXPECT_TRUE(series.check(15)) << behind;
    ASSERT_TRUE(series.go_on(15)) << behind;
    EXPECT_EQ(*read_text(files, "s.csv"), kept) << behind;
  }
}

TEST(TimeSeries, begins_where_there_was_none_or_an_empty_file) {
  for (const bool is_there : {false, true}) {
    MemoryFileSystem files;
    if (is_there) {
      ASSERT_TRUE(write_text(files, "s.csv", ""));
    }
    TimeSeries series(files, "s.csv", columns);
    EXPECT_TRUE(series.check(10));
    ASSERT_TRUE(series.go_on(10));
    EXPECT_EQ(*read_text(files, "s.csv"), "step [steps],time [time],mass\n");
  }
}

TEST(TimeSeries, leaves_a_table_with_other_columns_alone) {
  MemoryFileSystem files;
  ASSERT_TRUE(write_text(files, "s.csv", "step [steps],energy\n0,1\n"));
  TimeSeries series(files, "s.csv", columns);
  EXPECT_FALSE(series.check(10));
  const auto done = series.go_on(10);

  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("'s.csv'"), std::string::npos);
  EXPECT_EQ(*read_text(files, "s.csv"), "step [steps],energy\n0,1\n");
}

}  // namespace
}  // namespace thalweg::io
