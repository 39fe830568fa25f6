// SPDX-License-Identifier: MIT
#include <thalweg/app/memory.hpp>

#include <cstdint>

#include <fmt/format.h>

namespace thalweg::app {

Result<void> check_limit(flow::Transport& transport, const Need& mine, std::size_t limit_bytes) {
  struct OfRank {
    Need need;
    std::int64_t rank;
  };
  const auto most = flow::all_reduce(
      transport, OfRank{mine, static_cast<std::int64_t>(transport.rank()())},
      [](const OfRank& a, const OfRank& b) { return a.need.total() >= b.need.total() ? a : b; });
  const auto limit = static_cast<double>(limit_bytes);
  if (most.need.total() <= limit) return {};
  constexpr double mib = 0x1p-20;
  // So many digits that what is needed is seen to be more.
  const int n_digits = mib * (most.need.total() - limit) < 0.1 ? 6 : 1;
  const auto words = [&](double bytes) {
    return fmt::format("{:.{}f} MiB", mib * bytes, n_digits);
  };
  return std::unexpected(Failure{fmt::format(
      "the mesh would take {} on rank {}, {} of it for cells and the rest for "
      "plans, graphs and messages (a rank has {}: run.memory_limit_mib, or its share of "
      "what the machine had to give when the run began); raise run.memory_limit_mib, take more "
      "ranks on more machines, or lower mesh.max_level",
      words(most.need.total()), most.rank, words(most.need.cells), words(limit))});
}

}  // namespace thalweg::app
