// SPDX-License-Identifier: MIT
#include <thalweg/core/vectors_of_eight.hpp>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(VectorsOfEight, are_there_where_the_system_says_so) {
  std::ifstream processors("/proc/cpuinfo");
  std::string line;
  while (std::getline(processors, line) && !line.starts_with("flags")) {
  }
  if (line.empty()) GTEST_SKIP() << "the system says nothing of its processor";
  std::istringstream words(line);
  std::set<std::string> flags;
  for (std::string word; words >> word;) flags.insert(word);
  bool has_all = true;
  for (const char* flag : {"avx512f", "avx512vl", "avx512dq", "avx512bw", "avx512cd"})
    has_all = has_all && flags.contains(flag);
  EXPECT_EQ(has_vectors_of_eight(), has_all);
}

}  // namespace
}  // namespace thalweg
