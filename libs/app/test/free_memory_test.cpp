// SPDX-License-Identifier: MIT
#include <thalweg/app/free_memory.hpp>

#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>

namespace thalweg::app {
namespace {

namespace fs = std::filesystem;

/// A folder in place of the machine's root, gone at the end.
class FreeMemoryOf : public ::testing::Test {
 protected:
  FreeMemoryOf()
      : root_(fs::temp_directory_path() /
              ("thalweg_" + std::to_string(::getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name())) {}
  ~FreeMemoryOf() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << '\n';
  }
  bool is_plenty() const { return FreeMemory(root_).is_plenty_in_groups(); }
  std::uint64_t bytes() const { return FreeMemory(root_).bytes(); }

 private:
  fs::path root_;
};

TEST_F(FreeMemoryOf, a_process_in_no_group_is_plenty) {
  EXPECT_TRUE(is_plenty());
}

TEST_F(FreeMemoryOf, a_group_is_plenty_up_to_seven_eighths) {
  write("proc/self/cgroup", "0::/job/step");
  write("sys/fs/cgroup/job/step/memory.max", "800");
  write("sys/fs/cgroup/job/step/memory.current", "699");
  EXPECT_TRUE(is_plenty());
  write("sys/fs/cgroup/job/step/memory.current", "700");
  EXPECT_FALSE(is_plenty());
  write("sys/fs/cgroup/job/step/memory.current", "900");
  EXPECT_FALSE(is_plenty());
}

TEST_F(FreeMemoryOf, a_group_is_no_more_than_that_of_the_group_around_it) {
  write("proc/self/cgroup", "0::/job/step");
  write("sys/fs/cgroup/job/step/memory.max", "max");
  write("sys/fs/cgroup/job/step/memory.current", "790");
  EXPECT_TRUE(is_plenty());
  write("sys/fs/cgroup/job/memory.max", "800");
  write("sys/fs/cgroup/job/memory.current", "790");
  EXPECT_FALSE(is_plenty());
}

TEST_F(FreeMemoryOf, a_group_of_the_first_version_counts_too) {
  write("proc/self/cgroup", "5:cpu,memory:/box\n3:cpuset:/other\n0::/");
  write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "800");
  write("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "100");
  write("sys/fs/cgroup/memory/other/memory.limit_in_bytes", "800");
  write("sys/fs/cgroup/memory/other/memory.usage_in_bytes", "800");
  EXPECT_TRUE(is_plenty());
  write("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "750");
  EXPECT_FALSE(is_plenty());
}

TEST_F(FreeMemoryOf, what_the_system_does_not_say_is_no_bytes) {
  EXPECT_EQ(bytes(), 0u);
  write("proc/meminfo", "MemTotal: 9 kB\nMemFree: 3 kB");
  EXPECT_EQ(bytes(), 0u);
}

TEST_F(FreeMemoryOf, bytes_are_what_the_machine_has_or_a_group_may_have) {
  write("proc/meminfo", "MemTotal: 9 kB\nMemFree: 3 kB\nMemAvailable:    5 kB\nBuffers: 1 kB");
  EXPECT_EQ(bytes(), 5u * 1024);
  write("proc/self/cgroup", "0::/job/step");
  write("sys/fs/cgroup/job/step/memory.max", "max");
  write("sys/fs/cgroup/job/memory.max", "6000");
  write("sys/fs/cgroup/job/memory.current", "5999");
  EXPECT_EQ(bytes(), 5u * 1024);
  write("sys/fs/cgroup/job/memory.max", "4000");
  EXPECT_EQ(bytes(), 4000u);
}

TEST(ShareOfMemory, is_the_least_over_machines_and_nothing_where_one_does_not_know) {
  comm::SimNetwork network({.n_ranks = 4, .compute_nodes = {0, 0, 1, 0}});
  const auto done = network.run([](flow::Transport& transport) {
    const bool is_alone = transport.rank() == Rank(2);
    EXPECT_EQ(share_of_memory(transport, is_alone ? 1000 : 6000), 1000u);
    EXPECT_EQ(share_of_memory(transport, is_alone ? 5000 : 6000), 2000u);
    EXPECT_EQ(share_of_memory(transport, is_alone ? 0 : 6000), 0u);
  });
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace
}  // namespace thalweg::app
