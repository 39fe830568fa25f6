// SPDX-License-Identifier: MIT
#include <thalweg/core/print_errors.hpp>

#include <string>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Printable, has_no_control_characters_and_keeps_lines_and_letters) {
  EXPECT_EQ(printable("\x1b[2J a\tb\x7f\nü"), "\\x1b[2J a\\x09b\\x7f\nü");
}

TEST(PrintErrors, makes_an_error_of_each_line) {
  ::testing::internal::CaptureStderr();
  print_errors("one\ntwo \x1b[31m\n");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "error: one\nerror: two \\x1b[31m\n");
}

TEST(PrintErrors, cuts_what_nobody_reads) {
  ::testing::internal::CaptureStderr();
  print_errors(std::string(100'000, 'k'));
  const auto said = ::testing::internal::GetCapturedStderr();
  EXPECT_LT(said.size(), 2100U);
  EXPECT_TRUE(said.ends_with("k...\n"));
}

}  // namespace
}  // namespace thalweg
