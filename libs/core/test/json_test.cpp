// SPDX-License-Identifier: MIT
#include <thalweg/core/json.hpp>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(JsonString, escapes_quotes_backslashes_and_what_has_no_picture) {
  EXPECT_EQ(json_string(""), R"("")");
  EXPECT_EQ(json_string("a \"b\" \\"), R"("a \"b\" \\")");
  EXPECT_EQ(json_string("a\n\x1f\x7f"), "\"a\\u000a\\u001f\x7f\"");
  EXPECT_EQ(json_string("\xc3\xa9"), "\"\xc3\xa9\"");  // UTF-8 as it is
}

}  // namespace
}  // namespace thalweg
