// SPDX-License-Identifier: MIT
#include <thalweg/io/same_file.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace thalweg::io {
namespace {

TEST(SameFile, is_known_by_other_ways_to_it) {
  const std::string folder = ::testing::TempDir() + "same_file_" + std::to_string(::getpid());
  std::filesystem::create_directories(folder + "/in");
  std::ofstream(folder + "/there") << "text";
  std::filesystem::create_symlink(folder + "/there", folder + "/link");
  EXPECT_TRUE(is_same_file(folder + "/there", folder + "/in/../there"));
  EXPECT_TRUE(is_same_file(folder + "/there", folder + "/link"));
  EXPECT_TRUE(is_same_file(folder + "/new", folder + "/in/../new")) << "nor need it be there";
  EXPECT_FALSE(is_same_file(folder + "/there", folder + "/in/there"));
  EXPECT_FALSE(is_same_file(folder + "/there", folder + "/new"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace thalweg::io
