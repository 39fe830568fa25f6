// SPDX-License-Identifier: MIT
#include <thalweg/core/host_name.hpp>

#include <sys/utsname.h>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(HostName, is_that_of_the_system) {
  utsname system;
  ASSERT_EQ(::uname(&system), 0);
  EXPECT_EQ(host_name(), system.nodename);
}

}  // namespace
}  // namespace thalweg
