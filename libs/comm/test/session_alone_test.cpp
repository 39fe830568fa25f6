// SPDX-License-Identifier: MIT
#include <thalweg/comm/session.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>

namespace thalweg::comm {
namespace {

TEST(SessionAlone, starts_no_other_process) {
  const Session session(nullptr, nullptr);

  EXPECT_EQ(session.n_ranks(), 1);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);  // as opposed to 0: there are processes, and all run
}

}  // namespace
}  // namespace thalweg::comm
