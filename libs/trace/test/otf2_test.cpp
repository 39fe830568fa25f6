// SPDX-License-Identifier: MIT
// What is in an archive, tests/trace/formats.py reads with otf2-print.
#include <thalweg/trace/otf2.hpp>

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "hand_made.hpp"

namespace thalweg::trace {
namespace {

/// A folder of this process.
std::string folder_of(const std::string& name) {
  return testing::TempDir() + name + "_" + std::to_string(::getpid());
}

TEST(WriteOtf2, makes_an_archive_or_says_that_the_library_is_missing) {
  const std::string folder = folder_of("thalweg_otf2_test");
  std::filesystem::remove_all(folder);

  const auto done = write_otf2(folder, test::make_and_use());

  const bool is_there = std::filesystem::exists(folder + "/traces.otf2");
  EXPECT_EQ(done.has_value(), is_there);
  if (!done) {
    EXPECT_NE(done.error().message.find("libopen-trace-format2-dev"), std::string::npos);
  }
  std::filesystem::remove_all(folder);
}

TEST(WriteOtf2, ranks_that_were_not_traced_have_the_files_that_readers_open) {
  const std::string folder = folder_of("thalweg_otf2_some_ranks");
  std::filesystem::remove_all(folder);
  auto traces = test::make_and_use();
  traces.erase(traces.begin());  // that of rank 0

  if (write_otf2(folder, traces)) {  // else the library is missing
    for (const std::uint64_t location : {std::uint64_t{0}, std::uint64_t{1} << 16})
      for (const char* ending : {".evt", ".def"})
        EXPECT_TRUE(
            std::filesystem::exists(folder + "/traces/" + std::to_string(location) + ending))
            << location << ending;
  }
  std::filesystem::remove_all(folder);
}

TEST(WriteOtf2, folder_in_use_is_refused_and_not_touched) {
  const std::string folder = folder_of("thalweg_otf2_used");
  std::filesystem::create_directories(folder);

  EXPECT_FALSE(write_otf2(folder, test::make_and_use()));

  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace thalweg::trace
