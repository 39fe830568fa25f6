// SPDX-License-Identifier: MIT
#include <thalweg/comm/library.hpp>

#include <string>

#include <gtest/gtest.h>

namespace thalweg::comm {
namespace {

TEST(Library, says_its_name_and_version_in_one_clause) {
  const std::string version = library_version();
  EXPECT_NE(version.find("MPI"), std::string::npos) << version;  // Open MPI, MPICH
  EXPECT_NE(version.find_first_of("0123456789"), std::string::npos) << version;
  EXPECT_EQ(version.find_first_of(",\n"), std::string::npos) << version;
}

}  // namespace
}  // namespace thalweg::comm
