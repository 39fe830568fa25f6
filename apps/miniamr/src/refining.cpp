// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/refining.hpp>

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::miniamr {

std::int64_t MeshSummary::n_blocks() const {
  return sum(per_level);
}

std::int64_t sum(std::span<const std::int64_t> values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

RefiningConfig refining_config(const Options& options) {
  return {.rules = mesh_rules(options),
          .balancing = balancing_of(options),
          .when = options.lb_opt,
          .max_blocks = options.max_blocks};
}

Mesh first_mesh(const Options& options, Rank rank, int n_ranks) {
  Mesh mesh{mesh::initial_leaves<3>(mesh_rules(options), 0, rank, n_ranks), {}};
  mesh.owners = first_owners(mesh.forest, options);
  return mesh;
}

std::int64_t set_owners(data::Origins& origins, std::span<const Rank> owners) {
  THALWEG_EXPECT(origins.size() == owners.size(), "one owner for each origin");
  std::int64_t n_moved = 0;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    n_moved += origins[i].owner != owners[i] ? 1 : 0;
    origins[i].owner = owners[i];
  }
  return n_moved;
}

std::vector<Rank> owners_of(std::span<const data::Origin> origins) {
  std::vector<Rank> owners;
  owners.reserve(origins.size());
  for (const data::Origin& origin : origins) owners.push_back(origin.owner);
  return owners;
}

LevelCounts count_levels(std::span<const mesh::Key<3>> leaves) {
  LevelCounts counts{};
  for (const auto& leaf : leaves) ++counts[static_cast<std::size_t>(leaf.level)];
  return counts;
}

MeshSummary summarise(std::span<const LevelCounts> counts, std::span<const std::uint64_t> hashes,
                      int finest) {
  MeshSummary summary;
  for (std::size_t level = 0; level <= static_cast<std::size_t>(finest); ++level) {
    std::int64_t n = 0;
    for (const LevelCounts& of_rank : counts) n += of_rank[level];
    summary.per_level.push_back(n);
  }
  for (const std::uint64_t hash : hashes) summary.hash += hash;
  return summary;
}

void check_room(std::span<const std::int64_t> counts, std::optional<std::int64_t> max_blocks) {
  const auto fullest = std::ranges::max_element(counts);
  if (!max_blocks || *fullest <= *max_blocks) return;
  throw Error(fmt::format(
      "rank {} would have {} blocks (more than --max_blocks {}); allow more, use more ranks, or "
      "balance after each pass with --lb_opt 2",
      fullest - counts.begin(), *fullest, *max_blocks));
}

}  // namespace thalweg::miniamr
