// SPDX-License-Identifier: MIT
#include <thalweg/backends/starpu.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "backend_suite.hpp"
#include "starpu_home.hpp"

namespace thalweg::backends {

INSTANTIATE_TYPED_TEST_SUITE_P(StarPuExecutor, Backend, StarPuExecutor);

// What its processes write of the machine at the first start may not be read half written.
TEST(StarPuExecutor, starts_in_one_process_of_a_host_after_another) {
  const int folder = ::open(std::filesystem::temp_directory_path().c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(folder, LOCK_EX), 0);  // as a process that is starting holds it
  const pid_t other = ::fork();
  if (other == 0) {
    ::close(folder);
    flow::Loopback transport(1);
    const StarPuExecutor executor({.n_threads = 1}, transport);
    ::_exit(7);
  }
  std::this_thread::sleep_for(std::chrono::seconds(3));
  int status = 0;
  EXPECT_EQ(::waitpid(other, &status, WNOHANG), 0) << "it has not waited";
  ::close(folder);
  ASSERT_EQ(::waitpid(other, &status, 0), other);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

}  // namespace thalweg::backends
