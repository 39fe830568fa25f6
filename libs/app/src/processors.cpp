// SPDX-License-Identifier: MIT
#include <thalweg/app/processors.hpp>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <set>

#include "control_groups.hpp"

namespace thalweg::app {

std::vector<int> allowed_processors() {
  // The kernel refuses a set that is too small for its machine.
  for (int n = 1024; n <= 1 << 20; n *= 2) {
    cpu_set_t* const set = CPU_ALLOC(n);
    if (set == nullptr) return {};
    const std::size_t size = CPU_ALLOC_SIZE(n);
    CPU_ZERO_S(size, set);
    const int code = sched_getaffinity(0, size, set);
    const bool is_too_small = code != 0 && errno == EINVAL;
    std::vector<int> allowed;
    for (int i = 0; code == 0 && i < n; ++i)
      if (CPU_ISSET_S(static_cast<std::size_t>(i), size, set)) allowed.push_back(i);
    CPU_FREE(set);
    if (!is_too_small) return allowed;
  }
  return {};
}

std::string ranges_of(std::span<const int> numbers) {
  std::string text;
  for (std::size_t first = 0; first < numbers.size();) {
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[first]);
    if (last > first) text += "-" + std::to_string(numbers[last]);
    first = last + 1;
  }
  return text;
}

std::vector<std::uint32_t> processors_of_workers(std::span<const int> allowed, std::size_t n_online,
                                                 std::uint32_t n_workers,
                                                 const std::filesystem::path& root) {
  if (n_workers < 2 || allowed.size() < n_workers || allowed.size() >= n_online) return {};
  std::vector<std::uint32_t> first_of_core, all;
  std::set<std::string> cores;
  for (const int processor : allowed) {
    std::string core = std::to_string(processor);  // where the system says nothing else
    std::ifstream siblings(root / ("sys/devices/system/cpu/cpu" + core) /
                           "topology/thread_siblings_list");
    std::getline(siblings, core);
    all.push_back(static_cast<std::uint32_t>(processor));
    if (cores.insert(core).second) first_of_core.push_back(all.back());
  }
  if (first_of_core.size() == n_workers) return first_of_core;
  if (all.size() == n_workers) return all;
  return {};
}

std::vector<std::uint32_t> processors_of_workers(std::uint32_t n_workers) {
  return processors_of_workers(allowed_processors(), n_online_processors(), n_workers);
}

std::size_t n_online_processors() {
  return static_cast<std::size_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
}

std::size_t cache_bytes_of(std::uint32_t n_processors) {
  const long all = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
  return all > 0 ? static_cast<std::size_t>(all) * n_processors / n_online_processors() : 0;
}

std::optional<double> processor_limit(const std::filesystem::path& root) {
  std::optional<double> least;
  for (const auto& [folder, is_second] : control_groups(root, "cpu")) {
    // Microseconds of processor time in a period of as many microseconds; a word or -1: no limit.
    std::ifstream quota(folder / (is_second ? "cpu.max" : "cpu.cfs_quota_us"));
    std::ifstream period_file(folder / "cpu.cfs_period_us");
    double most_us = 0, period_us = 0;
    if (!(quota >> most_us) || most_us <= 0) continue;
    if (!((is_second ? quota : period_file) >> period_us) || period_us <= 0) continue;
    least = std::min(least.value_or(most_us / period_us), most_us / period_us);
  }
  return least;
}

std::uint32_t n_usable_processors() {
  const auto n_allowed = static_cast<double>(allowed_processors().size());
  const double n = std::min(n_allowed, processor_limit().value_or(n_allowed));
  return static_cast<std::uint32_t>(std::max(1.0, n));
}

}  // namespace thalweg::app
