// SPDX-License-Identifier: MIT
#include <thalweg/comm/session.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <thalweg/core/error.hpp>

namespace thalweg::comm {
namespace {

TEST(SessionAlone, starts_no_other_process_needs_no_folder_and_has_no_successor) {
  const std::filesystem::path folder = ::testing::TempDir() + "session_" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  setenv("TMPDIR", folder.c_str(), 1);
  {
    const Session session(nullptr, nullptr);
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    std::filesystem::remove_all(folder);

    EXPECT_EQ(session.n_ranks(), 1);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);  // as opposed to 0: there are processes, and all run
  }
  EXPECT_THROW(Session(nullptr, nullptr), Error);  // MPI does not start twice
}

}  // namespace
}  // namespace thalweg::comm
