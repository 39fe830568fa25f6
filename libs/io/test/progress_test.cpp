// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <thalweg/io/progress.hpp>

namespace thalweg::io {
namespace {

Progress example() {
  return {.step = 1200,
          .time = 0.0312345,
          .dt = 2.5e-5,
          .blocks_per_level = {64, 280, 1032},
          .zone_updates_per_s = 12.34e6,
          .parallel_efficiency = 0.973,
          .memory_bytes = 3ull << 30,
          .remaining_s = 3725};
}

TEST(ProgressLine, carries_every_number_with_its_unit) {
  const std::string line = progress_line(example(), 3);

  for (const char* part :
       {"1200", "3.12345e-02", "2.500e-05", "64 280 1032", "12.3 M", "97.3", "3.0 GiB", "1h02m"})
    EXPECT_NE(line.find(part), std::string::npos) << part << " not in: " << line;
}

TEST(ProgressLine, has_a_prefix_from_where_four_digits_would_be_shown) {
  const auto says = [](double rate, const char* text) {
    Progress p = example();
    p.zone_updates_per_s = rate;
    return progress_line(p, 3).find(text) != std::string::npos;
  };
  EXPECT_TRUE(says(999.94, " 999.9   "));
  EXPECT_TRUE(says(999.96, " 1.0 k"));  // not 1000.0
  EXPECT_TRUE(says(999.96e3, " 1.0 M"));
  EXPECT_TRUE(says(5e15, " 5000.0 T"));
}

TEST(ProgressLine, columns_end_where_those_of_the_header_end) {
  Progress small;
  for (const int n_levels : {1, 3, 8}) {
    EXPECT_EQ(progress_line(small, n_levels).size(), progress_header(n_levels).size());
  }
  EXPECT_EQ(progress_line(example(), 3).size(), progress_header(3).size());
}

TEST(ProgressLine, unknown_numbers_are_dashes) {
  Progress first = example();
  first.parallel_efficiency.reset();
  first.remaining_s.reset();

  const std::string line = progress_line(first, 3);

  EXPECT_EQ(line.back(), '-');
  EXPECT_EQ(std::ranges::count(line, '%'), 0);
}

TEST(ProgressLine, durations_change_units) {
  Progress p = example();
  const auto ends_with = [&](double seconds, const char* text) {
    p.remaining_s = seconds;
    return progress_line(p, 3).ends_with(text);
  };

  EXPECT_TRUE(ends_with(59.6, " 1m00s"));
  EXPECT_TRUE(ends_with(0.2, " 0m00s"));
  EXPECT_TRUE(ends_with(90000, " 1d01h"));
  EXPECT_TRUE(ends_with(99 * 86400.0, " 99d00h"));
  for (const double unknown : {-1.0, 99 * 86400.0 + 1}) EXPECT_TRUE(ends_with(unknown, " -"));
}

TEST(ProgressBar, grows_with_the_part_that_is_over) {
  const Progress p{.step = 138, .time = 0.25, .blocks_per_level = {8, 12}, .remaining_s = 61};
  EXPECT_EQ(progress_bar(p, 0),
            "[>                       ]   0 %  1m01s left  step 138, t = 0.25, 20 blocks");
  EXPECT_EQ(progress_bar(p, 0.5),
            "[============>           ]  50 %  1m01s left  step 138, t = 0.25, 20 blocks");
  EXPECT_EQ(progress_bar(p, 0.9999).find("] 100"), std::string::npos) << "not before the end";
  EXPECT_TRUE(progress_bar(p, 1).starts_with("[========================] 100 %"));
}

TEST(ProgressBar, fits_a_terminal_and_takes_any_number) {
  const Progress first;
  for (const double part : {-1.0, 0.0, 2.0, std::nan("")})
    EXPECT_LT(progress_bar(first, part).size(), 80U);
  EXPECT_NE(progress_bar(first, 0).find("- left"), std::string::npos);
  const Progress large{.step = 1'000'000'000'000,
                       .time = -1.23456e-300,
                       .blocks_per_level = {1'000'000'000'000'000'000},
                       .remaining_s = 8e6};
  EXPECT_LT(progress_bar(large, 0.3).size(), 80U);
}

TEST(ProgressBar, is_as_wide_as_the_terminal_is_but_for_a_column) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(terminal, 0);
  const winsize narrow{.ws_row = 24, .ws_col = 40, .ws_xpixel = 0, .ws_ypixel = 0};
  ASSERT_EQ(::ioctl(terminal, TIOCSWINSZ, &narrow), 0);
  EXPECT_EQ(terminal_columns(terminal), 40U);
  ::close(terminal);
  EXPECT_EQ(terminal_columns(terminal), 80U) << "there is none";

  const Progress p{.step = 12345, .time = 0.25, .blocks_per_level = {4, 16}};
  EXPECT_EQ(progress_bar(p, 0.5, 40), progress_bar(p, 0.5).substr(0, 39));
  EXPECT_EQ(progress_bar(p, 0.5, 1), "");
}

TEST(ResidentBytes, is_at_least_what_was_just_touched) {
  const std::vector<char> touched(32 << 20, 1);

  EXPECT_GT(resident_bytes(), touched.size());
  EXPECT_LT(resident_bytes(), std::uint64_t{1} << 40);
}

}  // namespace
}  // namespace thalweg::io
