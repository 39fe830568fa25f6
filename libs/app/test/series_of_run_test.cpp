// SPDX-License-Identifier: MIT
#include "../src/series_of_run.hpp"

#include <string>

#include <gtest/gtest.h>

namespace thalweg::app {
namespace {

const std::string table =
    "step [steps],time [time],dt [time]\n0,0,0\n2,0.5,0.25\n4,1,0.25\n6,1.5,0.25\n";

TEST(ObjectionToSeries, of_the_same_run_is_none) {
  EXPECT_EQ(objection_to_series(table, {.step = 4, .time = 1}), "");
  EXPECT_EQ(objection_to_series(table, {.step = 3, .time = 0.75}), "");
  EXPECT_EQ(objection_to_series(table, {.step = 9, .time = 2}), "");
}

TEST(ObjectionToSeries, of_another_run_names_the_line_that_does_not_fit) {
  EXPECT_EQ(objection_to_series(table, {.step = 4, .time = 0.9}),
            "is at t = 1 after step 4, and the checkpoint at t = 0.9 after step 4");
  EXPECT_NE(objection_to_series(table, {.step = 3, .time = 0.4}), "");
  EXPECT_NE(objection_to_series(table, {.step = 3, .time = 1.1}), "");
}

TEST(ObjectionToSeries, of_what_is_no_series_is_none) {
  EXPECT_EQ(objection_to_series("", {.step = 4, .time = 0.9}), "");
  EXPECT_EQ(objection_to_series("a,b\n4,1\n", {.step = 4, .time = 0.9}), "");
  EXPECT_EQ(objection_to_series(table.substr(0, 35) + "x,1\n4", {.step = 4, .time = 0.9}), "");
}

}  // namespace
}  // namespace thalweg::app
