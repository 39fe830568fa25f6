// SPDX-License-Identifier: MIT
// What is in an archive, tests/trace/formats.py reads with otf2-print.
#include <thalweg/trace/otf2.hpp>

#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
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

TEST(WriteOtf2, ranks_too_many_for_files_are_refused) {
  const std::string folder = folder_of("thalweg_otf2_many_ranks");
  auto traces = test::make_and_use();
  for (RankTrace& trace : traces) trace.n_ranks = 4'000'000'000;

  EXPECT_FALSE(write_otf2(folder, traces));

  EXPECT_FALSE(std::filesystem::exists(folder));
}

constexpr int not_permitted = 77;

/// Exits with 0 where an archive on a disk of so many KiB is there whole, or said not to be.
[[noreturn]] void write_on_disk_of(int kib, const std::string& place) {
  const std::string size = "size=" + std::to_string(kib) + "k", folder = place + "/archive";
  // The disk is of this process alone.
  if (unshare(CLONE_NEWNS) != 0 ||
      mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("none", place.c_str(), "tmpfs", 0, size.c_str()) != 0)
    std::exit(not_permitted);
  const auto done = write_otf2(folder, test::make_and_use());
  std::error_code error;
  const auto n_bytes = std::filesystem::file_size(folder + "/traces.otf2", error);
  std::exit(done.has_value() == (!error && n_bytes > 0) ? 0 : 1);
}

TEST(WriteOtf2, full_disk_is_a_failure_whichever_file_it_meets) {
  const std::string place = folder_of("thalweg_otf2_full");
  std::filesystem::create_directories(place);
  bool has_disk = true;
  const auto is_right = [&](int status) {
    has_disk = !WIFEXITED(status) || WEXITSTATUS(status) != not_permitted;
    return !has_disk || testing::ExitedWithCode(0)(status);
  };
  for (int kib = 4; kib <= 28 && has_disk; kib += 4)
    EXPECT_EXIT(write_on_disk_of(kib, place), is_right, "") << kib;
  std::filesystem::remove_all(place);
  if (!has_disk) GTEST_SKIP() << "a file system of one's own needs privileges";
}

}  // namespace
}  // namespace thalweg::trace
