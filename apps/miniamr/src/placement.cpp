// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/placement.hpp>

#include <algorithm>
#include <tuple>

#include <thalweg/mesh/assign.hpp>
#include <thalweg/mesh/partition.hpp>

namespace thalweg::miniamr {
namespace {

/// How many leaves before a leaf on the curve are its siblings, where all of them are leaves.
std::int64_t place_in_family(const mesh::LeafRules<3>& rules, const mesh::Key<3>& leaf) {
  const std::uint64_t before = rules.position(leaf) - rules.position(mesh::parent(leaf, ratio));
  return static_cast<std::int64_t>(before / mesh::curve_length(rules.geometry, leaf.level));
}

}  // namespace

Balancing balancing_of(const Options& options) {
  return {.lattice = lattice_of(options),
          .placement = options.placement,
          .ties = options.ties,
          .cuts = cuts_of(options.ranks, options.is_reordered()),
          .changes_axes = options.change_dir,
          .threshold = options.inbalance / 100.0,
          .limit_move = options.limit_move};
}

Balancing evenly(Balancing balancing) {
  balancing.ties = TieRule::exact;
  return balancing;
}

std::vector<Rank> first_owners(const mesh::LeafForest<3>& forest, const Options& options) {
  if (forest.rules.curve == mesh::Curve::hilbert) return curve_owners(forest, false);
  const std::vector<Cut> cuts = cuts_of(options.ranks, options.is_reordered());
  std::vector<Rank> owners;
  owners.reserve(forest.leaves.size());
  for (const auto& leaf : forest.leaves) {
    Index<3> place = mesh::coordinates(leaf);
    for (int a = 0; a < 3; ++a) place[a] /= options.init[a];
    owners.push_back(rank_at(cuts, options.ranks, place));
  }
  return owners;
}

mesh::Messages<std::int64_t> send_counts(std::span<const Rank> owners, int n_ranks) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(n_ranks));
  for (const Rank owner : owners) ++counts[owner()];
  mesh::Messages<std::int64_t> out;
  for (std::size_t q = 0; q < counts.size(); ++q)
    if (counts[q] > 0) out.emplace_back(Rank(q), counts[q]);
  return out;
}

bool is_uneven(std::span<const std::int64_t> counts, double threshold) {
  const auto [least, most] = std::ranges::minmax(counts);
  std::int64_t n_all = 0;
  for (const std::int64_t n : counts) n_all += n;
  const double unevenness = static_cast<double>(most - least) * static_cast<double>(counts.size()) /
                            static_cast<double>(n_all);
  return most > least + 1 && unevenness > threshold;
}

std::vector<Rank> curve_owners(const mesh::LeafForest<3>& forest, bool together) {
  const std::vector<std::int64_t> weights(forest.leaves.size(), 1);
  auto owners =
      mesh::assign_in_order(weights, forest.first_global, forest.n_global, forest.n_ranks);
  const int finest = forest.geometry().max_level();
  if (!together || finest == 0) return owners;
  // Blocks of the last level have leaves for siblings: all go where the middle one goes.
  for (std::size_t i = 0; i < owners.size(); ++i)
    if (const auto& leaf = forest.leaves[i]; leaf.level == finest)
      owners[i] = mesh::chunk_owner(forest.first_global + static_cast<std::int64_t>(i) + 4 -
                                        place_in_family(forest.rules, leaf),
                                    1, forest.n_global, forest.n_ranks);
  return owners;
}

mesh::Messages<Leaving> send_leaving(const mesh::LeafForest<3>& forest, std::span<const Rank> asked,
                                     std::span<const Rank> others) {
  mesh::Messages<Leaving> out;
  for (std::size_t i = 0; i < asked.size(); ++i)
    if (asked[i] != others[i])
      out.emplace_back(asked[i], Leaving{forest.leaves[i], static_cast<std::uint32_t>(i)});
  return out;
}

mesh::Messages<std::uint32_t> send_refused(mesh::Messages<Leaving> arrived, std::int64_t n_most) {
  std::ranges::sort(arrived, [](const auto& a, const auto& b) {
    return std::tuple(-a.second.key.level, a.second.key.code) <
           std::tuple(-b.second.key.level, b.second.key.code);
  });
  mesh::Messages<std::uint32_t> out;
  for (auto i = std::min(static_cast<std::size_t>(n_most), arrived.size()); i < arrived.size(); ++i)
    out.emplace_back(arrived[i].first, arrived[i].second.leaf);
  return out;
}

}  // namespace thalweg::miniamr
