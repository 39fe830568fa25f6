// SPDX-License-Identifier: MIT
#pragma once
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>

namespace thalweg::testing {

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A text, an error or a report, says all of this.
inline void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const auto& part : parts)
    EXPECT_TRUE(has(text, part)) << "'" << part << "' not in:\n" << text;
}

/// What the Error says that this throws; nothing, where it throws none.
template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// The words of a command line.
inline std::vector<std::string> words_of(const std::string& line) {
  std::istringstream words(line);
  return {std::istream_iterator<std::string>(words), {}};
}

}  // namespace thalweg::testing
