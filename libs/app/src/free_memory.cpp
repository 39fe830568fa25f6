// SPDX-License-Identifier: MIT
#include <thalweg/app/free_memory.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>

#include <thalweg/flow/collective.hpp>

#include "control_groups.hpp"

namespace thalweg::app {
namespace {

namespace fs = std::filesystem;

/// The number in a file; none where there is no file, or a word, as "max" where nothing is limited.
std::optional<std::uint64_t> number_in(const fs::path& path) {
  std::ifstream file(path);
  std::uint64_t n = 0;
  if (file >> n) return n;
  return std::nullopt;
}

}  // namespace

FreeMemory::FreeMemory(const fs::path& root) : machine_(root / "proc/meminfo") {
  for (const auto& [folder, is_second] : control_groups(root, "memory"))
    groups_.push_back(
        is_second ? Group{folder / "memory.max", folder / "memory.current"}
                  : Group{folder / "memory.limit_in_bytes", folder / "memory.usage_in_bytes"});
  // What has no limit now need not be asked again and again.
  std::erase_if(groups_, [](const Group& group) { return !number_in(group.most); });
}

std::uint64_t FreeMemory::bytes(std::uint64_t held) const {
  std::ifstream lines(machine_);
  std::uint64_t bytes = 0;
  for (std::string word; bytes == 0 && lines >> word;) {
    std::uint64_t n_kib = 0;
    if (word == "MemAvailable:" && lines >> n_kib) bytes = 1024 * n_kib;
  }
  if (bytes == 0) return 0;
  for (const Group& group : groups_)
    if (const auto most = number_in(group.most))
      bytes = std::min(bytes, std::max<std::uint64_t>(*most - std::min(*most, held), 1));
  return bytes;
}

bool FreeMemory::is_plenty_in_groups() const {
  return std::ranges::all_of(groups_, [](const Group& group) {
    const std::uint64_t most = number_in(group.most).value_or(0);
    const std::uint64_t used = number_in(group.used).value_or(0);
    return most - std::min(most, used) > most / 8;
  });
}

bool FreeMemory::is_plenty() const {
  return sysconf(_SC_AVPHYS_PAGES) > sysconf(_SC_PHYS_PAGES) / 8 && is_plenty_in_groups();
}

std::size_t share_of_memory(flow::Transport& transport, std::uint64_t free_bytes) {
  const flow::ComputeNode* compute_node = transport.compute_node();
  const std::size_t n_ranks = compute_node == nullptr ? 1 : compute_node->ranks().size();
  return flow::all_reduce(transport, static_cast<std::size_t>(free_bytes) / n_ranks,
                          [](std::size_t a, std::size_t b) { return std::min(a, b); });
}

}  // namespace thalweg::app
