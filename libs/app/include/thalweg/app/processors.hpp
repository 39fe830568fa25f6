// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace thalweg::app {

/// The processors that this process may run on, by the kernel's numbers, ascending: all of the
/// machine, or those that mpirun, a batch system or taskset has bound it to. Empty: the system does
/// not say.
/// @source sched_getaffinity(2)
std::vector<int> allowed_processors();

/// Numbers in ascending order as text: "0-3,8".
std::string ranges_of(std::span<const int> numbers);

/// The time of how many processors this process may take at most, by the control groups that a
/// batch system or a container puts it in; none: it is not limited.
/// @param root  where proc and sys are
/// @source docs.kernel.org: admin-guide/cgroup-v2 (cpu.max) and scheduler/sched-bwc
///         (cpu.cfs_quota_us, cpu.cfs_period_us)
std::optional<double> processor_limit(const std::filesystem::path& root = "/");

}  // namespace thalweg::app
