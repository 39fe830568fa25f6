// SPDX-License-Identifier: MIT
#include <thalweg/mesh/assign.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include <thalweg/core/contract.hpp>
#include <thalweg/mesh/partition.hpp>

namespace thalweg::mesh {

std::vector<Rank> assign_in_order(std::span<const std::int64_t> weights, std::int64_t before,
                                  std::int64_t total, int n_ranks) {
  std::vector<Rank> owners;
  owners.reserve(weights.size());
  for (const std::int64_t weight : weights) {
    owners.push_back(chunk_owner(before, weight, total, n_ranks));
    before += weight;
  }
  return owners;
}

std::vector<Rank> assign_in_turn(std::size_t n_blocks, std::int64_t before, int n_ranks) {
  std::vector<Rank> owners;
  owners.reserve(n_blocks);
  for (std::size_t i = 0; i < n_blocks; ++i)
    owners.emplace_back(static_cast<std::uint32_t>(before++ % n_ranks));
  return owners;
}

std::vector<Rank> assign_knapsack(std::span<const std::int64_t> weights, int n_ranks) {
  THALWEG_EXPECT(n_ranks > 0, "blocks need a rank");
  std::vector<std::size_t> heaviest_first(weights.size());
  std::iota(heaviest_first.begin(), heaviest_first.end(), std::size_t{0});
  std::ranges::stable_sort(heaviest_first, std::greater{},
                           [&](std::size_t i) { return weights[i]; });

  using Load = std::pair<std::int64_t, Rank>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> least;
  for (int rank = 0; rank < n_ranks; ++rank) least.emplace(0, Rank(rank));
  std::vector<Rank> owners(weights.size());
  for (const std::size_t i : heaviest_first) {
    const auto [load, rank] = least.top();
    least.pop();
    least.emplace(load + weights[i], rank);
    owners[i] = rank;
  }
  return owners;
}

}  // namespace thalweg::mesh
