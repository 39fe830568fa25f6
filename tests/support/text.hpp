// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::testing {

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A text, an error or a report, says all of this.
inline void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const auto& part : parts)
    EXPECT_TRUE(has(text, part)) << "'" << part << "' not in:\n" << text;
}

}  // namespace thalweg::testing
