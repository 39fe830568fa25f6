// SPDX-License-Identifier: MIT
#include <thalweg/core/print_errors.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Printable, has_no_control_characters_and_keeps_lines_and_letters) {
  EXPECT_EQ(printable("\x1b[2J a\tb\x7f\nü"), "\\x1b[2J a\\x09b\\x7f\nü");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m \xc2\xa0"),
            "\\xc2\\x9b"
            "31m \xc2\xa0");
}

TEST(Printable, has_no_bytes_that_are_no_text) {
  EXPECT_EQ(printable("a\xff\xc3z\xc3"), "a\\xff\\xc3z\\xc3");
}

TEST(Printable, is_cut_between_letters) {
  EXPECT_EQ(printable("abc", 3), "abc");
  EXPECT_EQ(printable("abcd", 3), "abc...");
  EXPECT_EQ(printable("abüd", 3), "abü...");
}

TEST(PrintErrors, makes_an_error_of_each_line) {
  ::testing::internal::CaptureStderr();
  print_errors("one\ntwo \x1b[31m\n");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "error: one\nerror: two \\x1b[31m\n");
}

TEST(PrintErrors, are_lost_where_nothing_can_be_written) {
  const auto print = [] {
    if (std::freopen("/dev/full", "w", stderr) == nullptr) return;
    std::setvbuf(stderr, nullptr, _IONBF, 0);
    print_errors("one");
    print_to_stderr("{}\n", 2);
    std::exit(7);
  };
  EXPECT_EXIT(print(), ::testing::ExitedWithCode(7), "");
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
