// SPDX-License-Identifier: MIT
#include <thalweg/app/processors.hpp>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::app {
namespace {

namespace fs = std::filesystem;

TEST(CacheBytes, are_as_many_for_each_processor_and_all_there_are_for_all) {
  const auto all = static_cast<std::uint32_t>(n_online_processors());
  EXPECT_EQ(cache_bytes_of(all),
            static_cast<std::size_t>(std::max(0L, sysconf(_SC_LEVEL3_CACHE_SIZE))));
  EXPECT_EQ(cache_bytes_of(3 * all), 3 * cache_bytes_of(all));
}

TEST(AllowedProcessors, are_those_that_the_process_is_bound_to) {
  const auto before = allowed_processors();
  ASSERT_FALSE(before.empty());
  EXPECT_EQ(before.size(), std::thread::hardware_concurrency());
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(before.back()), &one);
  std::vector<int> bound;
  // Of a thread of its own: the other tests keep theirs.
  std::thread([&] {
    if (sched_setaffinity(0, sizeof one, &one) == 0) bound = allowed_processors();
  }).join();
  EXPECT_EQ(bound, std::vector<int>{before.back()});
  EXPECT_EQ(allowed_processors(), before);
}

TEST(Ranges, are_as_short_as_can_be) {
  EXPECT_EQ(ranges_of({}), "");
  EXPECT_EQ(ranges_of(std::vector{5}), "5");
  EXPECT_EQ(ranges_of(std::vector{0, 1, 2, 3, 8}), "0-3,8");
  EXPECT_EQ(ranges_of(std::vector{0, 2, 3}), "0,2-3");
}

/// A folder in place of the machine's root, gone at the end.
class MadeUpMachine : public ::testing::Test {
 protected:
  MadeUpMachine()
      : root_(fs::temp_directory_path() /
              ("thalweg_" + std::to_string(::getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name())) {}
  ~MadeUpMachine() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << '\n';
  }
  const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

class ProcessorLimitOf : public MadeUpMachine {
 protected:
  std::optional<double> limit() const { return processor_limit(root()); }
};

TEST_F(ProcessorLimitOf, no_group_is_none) {
  EXPECT_EQ(limit(), std::nullopt);
}

TEST_F(ProcessorLimitOf, groups_is_the_least_of_all_around) {
  write("proc/self/cgroup", "0::/job/step");
  write("sys/fs/cgroup/job/step/cpu.max", "max 100000");
  EXPECT_EQ(limit(), std::nullopt);
  write("sys/fs/cgroup/job/cpu.max", "250000 100000");
  EXPECT_EQ(limit(), 2.5);
  write("sys/fs/cgroup/job/step/cpu.max", "300000 100000");
  EXPECT_EQ(limit(), 2.5);
  write("sys/fs/cgroup/job/step/cpu.max", "50000 100000");
  EXPECT_EQ(limit(), 0.5);
}

TEST_F(ProcessorLimitOf, the_first_version_is_read_too) {
  write("proc/self/cgroup", "4:cpu,cpuacct:/box\n3:memory:/box");
  write("sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000");
  write("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "-1");
  EXPECT_EQ(limit(), std::nullopt);
  write("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "150000");
  EXPECT_EQ(limit(), 1.5);
}

/// Eight processors, of which n and n + 4 are one core.
class ProcessorsOfWorkers : public MadeUpMachine {
 protected:
  using Processors = std::vector<std::uint32_t>;

  ProcessorsOfWorkers() {
    for (int n = 0; n < 8; ++n)
      write("sys/devices/system/cpu/cpu" + std::to_string(n) + "/topology/thread_siblings_list",
            std::to_string(n % 4) + "," + std::to_string(n % 4 + 4));
  }
  Processors of(const std::vector<int>& allowed, std::uint32_t n_workers) const {
    return processors_of_workers(allowed, 8, n_workers, root());
  }
};

TEST_F(ProcessorsOfWorkers, are_one_of_each_core) {
  EXPECT_EQ(of({0, 1, 4, 5}, 2), (Processors{0, 1}));
  EXPECT_EQ(of({2, 3, 6}, 2), (Processors{2, 3}));
}

TEST_F(ProcessorsOfWorkers, are_all_where_they_are_as_many) {
  EXPECT_EQ(of({0, 1, 4, 5}, 4), (Processors{0, 1, 4, 5}));
  EXPECT_EQ(of({3, 7}, 2), (Processors{3, 7}));
}

TEST_F(ProcessorsOfWorkers, are_none_where_cores_may_be_others) {
  EXPECT_EQ(of({0, 1, 2, 3, 4, 5, 6, 7}, 4), Processors{});  // not bound
  EXPECT_EQ(of({0, 1, 2, 4, 5, 6}, 2), Processors{});        // other ranks may share them
  EXPECT_EQ(of({0, 1}, 3), Processors{});
  EXPECT_EQ(of({0, 4}, 1), Processors{});  // bound as it is
  EXPECT_EQ(of({}, 2), Processors{});
}

TEST_F(ProcessorsOfWorkers, are_cores_where_the_system_says_nothing_of_threads) {
  EXPECT_EQ(processors_of_workers(std::vector{1, 2}, 8, 2, root() / "none"), (Processors{1, 2}));
}

}  // namespace
}  // namespace thalweg::app
