// SPDX-License-Identifier: MIT
#include "../src/written_plotfiles.hpp"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace thalweg::app {
namespace {

std::string line_of(int n) {
  WrittenPlotfiles written;
  for (int i = 1; i <= n; ++i) written.add(fmt::format("out/plt{:05}", 5 * i));
  return written.text();
}

TEST(WrittenPlotfiles, are_named_where_they_are_few) {
  EXPECT_EQ(line_of(0), "");
  EXPECT_EQ(line_of(1), "plotfiles: out/plt00005");
  EXPECT_EQ(line_of(2), "plotfiles: out/plt00005 out/plt00010");
  EXPECT_TRUE(line_of(9).ends_with("out/plt00040 out/plt00045"));
}

TEST(WrittenPlotfiles, are_counted_where_they_are_many) {
  EXPECT_EQ(line_of(10), "10 plotfiles, out/plt00005 to out/plt00050");
  EXPECT_EQ(line_of(2000), "2000 plotfiles, out/plt00005 to out/plt10000");
}

}  // namespace
}  // namespace thalweg::app
