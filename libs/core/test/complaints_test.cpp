// SPDX-License-Identifier: MIT
#include <thalweg/core/complaints.hpp>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Complaints, are_thrown_together_in_their_order) {
  Complaints complaints;
  EXPECT_NO_THROW(complaints.throw_if_any());
  complaints.add("one");
  complaints.add("two");
  try {
    complaints.throw_if_any();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "one\ntwo");
  }
}

}  // namespace
}  // namespace thalweg
