// SPDX-License-Identifier: MIT
// What it finds is tested in tests/undeclared, which is built with ThreadSanitizer.
#include <thalweg/flow/access_checker.hpp>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>

namespace thalweg::flow {
namespace {

TEST(AccessChecker, says_what_it_needs_where_the_sanitizer_is_missing) {
#if defined(__SANITIZE_THREAD__)
  EXPECT_NO_THROW(AccessChecker());
#else
  try {
    const AccessChecker checker;
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("-fsanitize=thread"), std::string::npos);
  }
#endif
}

}  // namespace
}  // namespace thalweg::flow
