// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
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

/// Where each worker is pinned: one hardware thread of each core that this process was bound to, if
/// these are fewer than the machine's and as many as workers; else as many as workers are the
/// hardware threads. Empty where neither is so: then the cores are not known to be this rank's, or
/// it would matter which of them are left out, and the system places workers.
/// @param allowed   see allowed_processors()
/// @param n_online  processors of the machine
/// @param root      where sys is
/// @source docs.kernel.org: admin-guide/cputopology (thread_siblings_list)
std::vector<std::uint32_t> processors_of_workers(std::span<const int> allowed, std::size_t n_online,
                                                 std::uint32_t n_workers,
                                                 const std::filesystem::path& root = "/");
/// The same for this process on this machine.
std::vector<std::uint32_t> processors_of_workers(std::uint32_t n_workers);

/// The processors of this machine that are in use.
std::size_t n_online_processors();

/// Bytes of the third level of cache that so many processors of this machine have, if all have as
/// many; 0: the system does not say.
std::size_t cache_bytes_of(std::uint32_t n_processors);

/// The time of how many processors this process may take at most, by the control groups that a
/// batch system or a container puts it in; none: it is not limited.
/// @param root  where proc and sys are
/// @source docs.kernel.org: admin-guide/cgroup-v2 (cpu.max) and scheduler/sched-bwc
///         (cpu.cfs_quota_us, cpu.cfs_period_us)
std::optional<double> processor_limit(const std::filesystem::path& root = "/");

/// How many threads this process can keep busy: one a processor that it may run on, within its
/// limit.
std::uint32_t n_usable_processors();

}  // namespace thalweg::app
