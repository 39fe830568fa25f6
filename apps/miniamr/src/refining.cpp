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

void count_changes(const data::Origins& origins, Rank rank, RefinementTotals& totals) {
  for (const data::Origin& origin : origins) {
    const Rank first = origin.from[0].owner;
    switch (origin.kind) {
      case data::Origin::Kind::same:
        break;
      case data::Origin::Kind::child:
        // The owner of a block is told all its children: the first stands for them.
        if (first == rank && mesh::child(origin.from[0].key, 0, ratio) == origin.key)
          ++totals.n_split;
        break;
      case data::Origin::Kind::joined:
        if (first == rank) ++totals.n_joined;
        for (const auto& child : origin.from)
          if (child.owner == rank && rank != first) ++totals.n_moved_join;
        break;
    }
  }
}

std::vector<Rank> set_owners(data::Origins& origins, std::span<const Rank> owners) {
  THALWEG_EXPECT(origins.size() == owners.size(), "one owner for each origin");
  std::vector<Rank> come;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (origins[i].owner != owners[i]) come.push_back(owners[i]);
    origins[i].owner = owners[i];
  }
  return come;
}

std::vector<Rank> owners_of(std::span<const data::Origin> origins) {
  std::vector<Rank> owners;
  owners.reserve(origins.size());
  for (const data::Origin& origin : origins) owners.push_back(origin.owner);
  return owners;
}

MeshSums sums_of(std::span<const mesh::Key<3>> leaves) {
  MeshSums sums{.hash = mesh_hash(leaves)};
  for (const auto& leaf : leaves) ++sums.per_level[static_cast<std::size_t>(leaf.level)];
  return sums;
}

MeshSums combined(MeshSums a, const MeshSums& b) {
  for (std::size_t level = 0; level < a.per_level.size(); ++level)
    a.per_level[level] += b.per_level[level];
  a.hash += b.hash;
  return a;
}

MeshSummary summarise(const MeshSums& of_all, int finest) {
  const auto begin = of_all.per_level.begin();
  return {{begin, begin + finest + 1}, of_all.hash};
}

void check_room(std::span<const std::int64_t> counts, std::optional<std::int64_t> max_blocks) {
  const auto fullest = std::ranges::max_element(counts);
  if (!max_blocks || *fullest <= *max_blocks) return;
  throw Error(fmt::format(
      "rank {} would have {} blocks (more than --max_blocks {}); allow more, or use more ranks",
      fullest - counts.begin(), *fullest, *max_blocks));
}

}  // namespace thalweg::miniamr
