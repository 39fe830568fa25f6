// SPDX-License-Identifier: MIT
#include <thalweg/io/folder_lock.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace thalweg::io {
namespace {

namespace fs = std::filesystem;

struct FolderLockTest : ::testing::Test {
  std::string folder =
      (fs::temp_directory_path() / ("thalweg_lock_" + std::to_string(::getpid()))).string();
  FolderLockTest() { fs::create_directory(folder); }
  ~FolderLockTest() override { fs::remove_all(folder); }
};

TEST_F(FolderLockTest, keeps_others_out_and_says_who_is_in) {
  const auto mine = FolderLock::take(folder);
  ASSERT_TRUE(mine) << mine.error().message;

  const auto second = FolderLock::take(folder);

  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("process " + std::to_string(::getpid()) + " on "),
            std::string::npos)
      << second.error().message;
}

TEST_F(FolderLockTest, says_nothing_of_a_longer_name_that_was_left_in_the_file) {
  std::ofstream(folder + "/" + FolderLock::file_name) << std::string(120, '#');
  const auto mine = FolderLock::take(folder);
  ASSERT_TRUE(mine) << mine.error().message;
  EXPECT_EQ(FolderLock::take(folder).error().message.find('#'), std::string::npos);
}

TEST_F(FolderLockTest, of_another_host_says_what_to_do_if_that_has_died) {
  const std::string file = folder + "/" + FolderLock::file_name;
  const auto held = FolderLock::take(folder);
  ASSERT_TRUE(held) << held.error().message;
  EXPECT_EQ(FolderLock::take(folder).error().message.find("remove"), std::string::npos);

  std::ofstream(file) << "process 12 on another-host-than-this";

  const auto why = FolderLock::take(folder).error().message;
  EXPECT_TRUE(why.starts_with("process 12 on another-host-than-this is writing there; ")) << why;
  EXPECT_NE(why.find("certainly dead remove '" + file + "'"), std::string::npos) << why;
  std::filesystem::remove(file);
  EXPECT_TRUE(FolderLock::take(folder));
}

TEST_F(FolderLockTest, is_not_taken_through_a_link_whose_file_would_be_overwritten) {
  const std::string file = folder + "/" + FolderLock::file_name, notes = folder + "/notes";
  std::ofstream(notes) << "precious";
  fs::create_symlink(notes, file);

  const auto none = FolderLock::take(folder);

  ASSERT_FALSE(none);
  const auto& why = none.error().message;
  EXPECT_NE(why.find("'" + file + "' is a symbolic link"), std::string::npos) << why;
  EXPECT_NE(why.find("remove the link"), std::string::npos) << why;
  std::ifstream left(notes);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(left), {}), "precious");
  EXPECT_TRUE(fs::is_symlink(file));
  // Nor is a file made where a link leads to none.
  fs::remove(notes);
  EXPECT_FALSE(FolderLock::take(folder));
  EXPECT_FALSE(fs::exists(notes));
}

TEST_F(FolderLockTest, waits_for_who_only_looks_whether_it_is_taken) {
  const std::string file = folder + "/" + FolderLock::file_name;
  const int look = ::open(file.c_str(), O_RDWR | O_CREAT, 0666);
  ASSERT_EQ(::flock(look, LOCK_SH | LOCK_NB), 0);
  const std::jthread looking([look] {
    std::this_thread::sleep_for(std::chrono::milliseconds(15));
    ::close(look);
  });
  const auto mine = FolderLock::take(folder);
  EXPECT_TRUE(mine) << mine.error().message;
}

TEST_F(FolderLockTest, leaves_nothing_behind) {
  {
    ASSERT_TRUE(FolderLock::take(folder));
  }

  EXPECT_TRUE(fs::is_empty(folder));
  EXPECT_TRUE(FolderLock::take(folder));
}

TEST_F(FolderLockTest, takes_away_the_folders_that_it_has_made_where_they_are_empty) {
  const std::string inner = folder + "/a/b/c/";
  {
    ASSERT_TRUE(FolderLock::take(inner));
    ASSERT_TRUE(fs::is_empty(folder));
    const auto mine = FolderLock::take(inner);
    ASSERT_TRUE(mine);
    std::ofstream(folder + "/a/results") << "results";
  }
  EXPECT_TRUE(fs::exists(folder + "/a/results"));
  EXPECT_FALSE(fs::exists(folder + "/a/b"));
}

TEST_F(FolderLockTest, makes_no_folder_inside_a_file) {
  std::ofstream(folder + "/file") << "text";
  const auto none = FolderLock::take(folder + "/file/a");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("/file/a"), std::string::npos) << none.error().message;
}

TEST_F(FolderLockTest, is_never_had_by_two) {
  // Whoever gives it up removes the file, which others may have opened by then.
  std::atomic<int> n_holders = 0, n_twice = 0;
  const auto take_often = [&](const std::string& path) {
    for (int n_taken = 0; n_taken < 30;) {
      const auto mine = FolderLock::take(path);
      if (!mine) continue;
      if (++n_holders > 1) ++n_twice;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // others come meanwhile
      --n_holders;
      ++n_taken;
    }
  };
  for (const std::string& path : {folder, folder + "/made"}) {
    {
      const std::jthread one(take_often, path), two(take_often, path), three(take_often, path);
    }
    EXPECT_EQ(n_twice, 0);
    EXPECT_TRUE(!fs::exists(path) || fs::is_empty(path));
  }
}

TEST_F(FolderLockTest, ends_with_a_process_that_is_killed) {
  int told[2];
  ASSERT_EQ(::pipe(told), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = FolderLock::take(folder);
    const char has_it = lock ? 1 : 0;
    static_cast<void>(::write(told[1], &has_it, 1) == 1);
    ::pause();
  }
  char has_it = 0;
  ASSERT_EQ(::read(told[0], &has_it, 1), 1);
  ASSERT_EQ(has_it, 1);
  EXPECT_FALSE(FolderLock::take(folder));

  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);

  EXPECT_FALSE(fs::is_empty(folder));
  EXPECT_TRUE(FolderLock::take(folder));
}

TEST_F(FolderLockTest, of_a_folder_that_takes_no_files_says_what_cannot_be_written) {
  const auto none = FolderLock::take("/proc");

  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find(FolderLock::file_name), std::string::npos);
}

}  // namespace
}  // namespace thalweg::io
