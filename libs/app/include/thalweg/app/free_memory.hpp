// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include <thalweg/flow/transport.hpp>

namespace thalweg::app {

/// How much memory this process may still take: of the machine, and of the control groups that a
/// batch system or a container puts it in, which end it where it takes more.
/// @source docs.kernel.org: admin-guide/cgroup-v2 (memory.max, memory.current) and
///         cgroup-v1/memory (memory.limit_in_bytes, memory.usage_in_bytes); proc_meminfo(5)
class FreeMemory {
 public:
  /// @param root  where proc and sys are
  explicit FreeMemory(const std::filesystem::path& root = "/");

  /// Bytes that the machine could give without swapping, at most what each group may have in all:
  /// what a group has now may be files, which go when room is needed. 0: the system does not say.
  /// @param held  what this process has taken already, of which a group's limit knows
  std::uint64_t bytes(std::uint64_t held = 0) const;

  /// Whether an eighth of the machine's memory is free and holds nothing, not even files, and an
  /// eighth of what each group may have. A rank that asks again and again while it takes memory
  /// leaves some to the other ranks of its node.
  bool is_plenty() const;
  /// Whether the groups alone say so.
  bool is_plenty_in_groups() const;

 private:
  /// Files with the bytes that a group may have, and has.
  struct Group {
    std::filesystem::path most;
    std::filesystem::path used;
  };
  std::filesystem::path machine_;
  std::vector<Group> groups_;
};

/// What each rank may take where all ranks of a machine share what it has free: the least over all
/// machines; 0 where one does not know. Collective.
/// @param free_bytes  of this rank's machine
std::size_t share_of_memory(flow::Transport& transport, std::uint64_t free_bytes);

}  // namespace thalweg::app
