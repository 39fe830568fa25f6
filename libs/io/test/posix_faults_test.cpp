// SPDX-License-Identifier: MIT
// PosixFileSystem where the system says that bytes were lost, and locks that it does not have: its
// calls of close, fsync and flock come here (see CMakeLists.txt).
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/folder_lock.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include <unistd.h>

#include <gtest/gtest.h>

namespace {
int close_error = 0;  // what errno the next call gives; 0: that of the system
int fsync_error = 0;
int flock_error = 0;
int n_closed = 0;
}  // namespace

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): names of the linker
int __real_close(int descriptor);
int __real_fsync(int descriptor);
int __real_flock(int descriptor, int operation);

int __wrap_close(int descriptor) {
  const int result = __real_close(descriptor);  // it is closed all the same
  ++n_closed;
  if (close_error == 0) return result;
  errno = close_error;
  return -1;
}

int __wrap_fsync(int descriptor) {
  if (fsync_error == 0) return __real_fsync(descriptor);
  errno = fsync_error;
  return -1;
}

int __wrap_flock(int descriptor, int operation) {
  if (flock_error == 0) return __real_flock(descriptor, operation);
  errno = flock_error;
  return -1;
}
// NOLINTEND(bugprone-reserved-identifier)
}

namespace thalweg::io {
namespace {

class PosixFaults : public ::testing::Test {
 protected:
  PosixFaults() { EXPECT_TRUE(files_.make_directory(root_)); }
  ~PosixFaults() override {
    close_error = fsync_error = flock_error = 0;
    std::filesystem::remove_all(root_);
  }
  Result<void> write() { return files_.write(path_, 0, std::as_bytes(std::span(text_))); }

  std::string root_ = ::testing::TempDir() + "thalweg_posix_faults_" + std::to_string(::getpid());
  std::string path_ = root_ + "/data";
  std::string text_ = "abc";
  PosixFileSystem files_;
};

TEST_F(PosixFaults, a_link_in_place_of_a_folder_that_leads_nowhere_is_named) {
  std::filesystem::create_symlink("nowhere", root_ + "/link");
  for (const std::string inside : {"", "/out"}) {
    const auto made = files_.make_directory(root_ + "/link" + inside);
    ASSERT_FALSE(made);
    EXPECT_TRUE(
        made.error().message.ends_with("/link': it is a link to 'nowhere', which is not there"))
        << made.error().message;
  }
  std::filesystem::create_directory(root_ + "/nowhere");
  EXPECT_TRUE(files_.make_directory(root_ + "/link/out"));
}

TEST_F(PosixFaults, a_write_that_is_lost_when_the_file_is_closed_is_a_failure) {
  ASSERT_TRUE(write());
  close_error = ENOSPC;

  const auto done = write();

  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "cannot write '" + path_ + "': No space left on device");
}

TEST_F(PosixFaults, pieces_that_are_lost_when_their_one_file_is_closed_are_a_failure) {
  const Piece<const std::byte> abc{0, std::as_bytes(std::span(text_))};
  const std::array pieces{abc, Piece<const std::byte>{7, abc.bytes}};
  std::string text(3, ' ');
  const Piece<std::byte> room{7, std::as_writable_bytes(std::span(text))};
  n_closed = 0;
  ASSERT_TRUE(files_.write_pieces(path_, pieces));
  EXPECT_EQ(n_closed, 1);
  ASSERT_TRUE(files_.read_pieces(path_, std::array{room, room, room}));
  EXPECT_EQ(n_closed, 2);
  EXPECT_EQ(text, "abc");
  close_error = ENOSPC;

  EXPECT_FALSE(files_.write_pieces(path_, pieces));
}

TEST_F(PosixFaults, bytes_that_do_not_become_durable_are_a_failure) {
  ASSERT_TRUE(write());
  ASSERT_TRUE(files_.sync(path_));
  fsync_error = EIO;

  const auto done = files_.sync(path_);

  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "cannot sync '" + path_ + "': Input/output error");
}

TEST_F(PosixFaults, a_folder_on_a_file_system_without_locks_is_taken_and_keeps_nobody_out) {
  EXPECT_TRUE(FolderLock::take(root_).value().keeps_out());
  for (const int error : {ENOSYS, ENOLCK, ENOTSUP}) {
    flock_error = error;
    const auto lock = FolderLock::take(root_);
    ASSERT_TRUE(lock) << lock.error().message;
    EXPECT_FALSE(lock->keeps_out());
  }
}

TEST_F(PosixFaults, a_folder_whose_name_would_not_survive_a_loss_of_power_is_not_taken) {
  EXPECT_TRUE(FolderLock::take(root_ + "/a/b"));
  fsync_error = EIO;

  const auto lock = FolderLock::take(root_ + "/a/b");

  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().message, "cannot sync '" + root_ + "/a': Input/output error");
  EXPECT_TRUE(std::filesystem::is_empty(root_));
  EXPECT_TRUE(FolderLock::take(root_)) << "it was there before";
}

TEST_F(PosixFaults, a_directory_that_cannot_be_synced_is_durable_as_it_is) {
  fsync_error = EINVAL;
  EXPECT_TRUE(files_.sync(root_));
}

}  // namespace
}  // namespace thalweg::io
