// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/refinement_report.hpp>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thalweg::miniamr {
namespace {

using fmt::format;

void insert_once(std::vector<Rank>& ranks, Rank rank) {
  if (std::ranges::find(ranks, rank) == ranks.end()) ranks.push_back(rank);
}

}  // namespace

Partners partners_of(const data::Layout& layout, Rank rank) {
  std::array<std::vector<Rank>, 3> across;
  std::vector<Rank> any;
  for (const data::Block& block : layout.blocks)
    for (std::size_t face = 0; face < 6; ++face)
      for (const auto& leaf : block.faces[face]) {
        if (leaf.owner == rank) continue;
        insert_once(across[face / 2], leaf.owner);
        insert_once(any, leaf.owner);
      }
  Partners n{std::ssize(across[0]), std::ssize(across[1]), std::ssize(across[2]), 0,
             std::ssize(any)};
  n[3] = n[0] + n[1] + n[2];
  return n;
}

std::int64_t count_connected_sets(const data::Layout& layout, Rank rank) {
  std::vector<std::size_t> root(layout.blocks.size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  auto n_sets = static_cast<std::int64_t>(root.size());
  for (std::size_t i = 0; i < root.size(); ++i)
    for (const auto& face : layout.blocks[i].faces)
      for (const auto& leaf : face) {
        if (leaf.owner != rank) continue;
        const auto other = std::ranges::lower_bound(layout.blocks, leaf.key, {}, &data::Block::key);
        const std::size_t a = find(i);
        const std::size_t b = find(static_cast<std::size_t>(other - layout.blocks.begin()));
        if (a == b) continue;
        root[a] = b;
        --n_sets;
      }
  return n_sets;
}

std::string level_lines(const MeshSummary& summary, int step) {
  std::string text;
  for (std::size_t level = 0; level < summary.per_level.size(); ++level)
    text += format("Number of blocks at level {} at timestep {} is {}\n", level, step,
                   summary.per_level[level]);
  return text + format("Total number of blocks at timestep {} is {}\n", step, summary.n_blocks());
}

std::string balance_lines(const BalanceReport& report) {
  const auto line = [](std::string_view when, std::span<const std::int64_t> counts) {
    const auto [least, most] = std::ranges::minmax(counts);
    return format("{} ave {} min {} max {}\n", when, sum(counts) / std::ssize(counts), least, most);
  };
  std::string text = line("before", report.before);
  if (report.is_limited)
    text += format("Move {} blocks out of {} possible to load balance\n", report.n_moved,
                   report.n_wanted);
  return text + line("after", report.after);
}

std::int64_t count_parents(const data::Layout& layout) {
  std::int64_t n = 0;
  for (const data::Block& block : layout.blocks) {
    const Index<3> place = mesh::coordinates(block.key);
    const auto any = static_cast<std::uint32_t>(place[0] | place[1] | place[2]);
    n += std::min(block.key.level, std::countr_zero(any));
  }
  return n;
}

SetCounts count_sets(std::span<const RankReport> ranks) {
  SetCounts sets;
  for (const RankReport& rank : ranks) {
    sets.n += rank.n_sets;
    sets.most = std::max(sets.most, rank.n_sets);
    sets.n_ranks_with_more += rank.n_sets > 1 ? 1 : 0;
  }
  return sets;
}

std::string connection_lines(std::span<const RankReport> ranks) {
  const auto n_ranks = std::ssize(ranks);
  const SetCounts sets = count_sets(ranks);
  std::string text;
  if (sets.n > n_ranks)
    text += format("max sets on a rank {}, num sets over ranks {} on {} ranks\n", sets.most,
                   sets.n - n_ranks, sets.n_ranks_with_more);
  constexpr std::array<std::string_view, 5> names{"x", "y", "z", "total", "unique"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<std::int64_t> values;
    for (const RankReport& rank : ranks) values.push_back(rank.partners[i]);
    const auto [least, most] = std::ranges::minmax(values);
    text += format("comm partners {} ave {:6.2f} min {} max {}\n", names[i],
                   static_cast<double>(sum(values)) / static_cast<double>(n_ranks), least, most);
  }
  return text + "\n";
}

io::SharedText plot_text(const Lattice& lattice, std::int64_t n_blocks,
                         std::span<const data::Block> blocks) {
  io::SharedSection text{
      format("{} {} {} {} {}\n", n_blocks, lattice.max_level, lattice.root_blocks[0],
             lattice.root_blocks[1], lattice.root_blocks[2]),
      format("{}\n", blocks.size())};
  for (const data::Block& block : blocks) {
    const Index<3> centre = lattice.centre(block.key);
    text.lines += format("{} {} {} {}\n", block.key.level, centre[0], centre[1], centre[2]);
  }
  return {std::move(text)};
}

std::string plot_name(int step, int n_steps) {
  int n_digits = 1;
  for (std::int64_t n = 1; n < n_steps; n *= 10) ++n_digits;
  return format("plot.{:0{}}", step, n_digits);
}

}  // namespace thalweg::miniamr
