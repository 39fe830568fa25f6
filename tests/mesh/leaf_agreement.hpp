// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include <thalweg/exchange/emit/collectives.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/mesh/leaf_nested.hpp>
#include <thalweg/mesh/testing/leaf_neighbours.hpp>
#include <thalweg/mesh/testing/leaf_replicated.hpp>
#include <thalweg/mesh/testing/random_leaves.hpp>

namespace thalweg::mesh::testing {

/// Adapt a random forest step by step, distributed and replicated, and count on how many ranks and
/// times they differ in a bit; the neighbours of the last are found too. Collective.
template <int D>
int count_differences(const LeafCase<D>& c, flow::Transport& transport) {
  exchange::TransportCollectives collectives(transport);
  const auto weigh = [](const Key<D>& key) { return random_weight(key); };
  LeafForest<D> forest =
      initial_leaves(c.rules, c.first_level, transport.rank(), transport.n_ranks(), c.directory);
  LeafForest<D> expected = forest;  // by all ranks, with a table
  int n_different = 0;
  for (int time = 0; time < c.n_adaptations; ++time) {
    const std::vector<RefineFlag> flags = random_flags(c, time, forest);
    expected = adapt_replicated<D>(forest, flags, collectives, weigh);
    forest = adapt<D>(forest, flags, collectives, weigh).forest;
    n_different += forest.leaves != expected.leaves || forest.finest != expected.finest;
    n_different += c.directory == Directory::table && forest != expected ? 1 : 0;
  }

  // If a touches b, then b touches a: each pair across ranks must be known on both.
  const LeafNeighbours<D> neighbours = find_neighbours(forest, c.rules.balance, collectives);
  Messages<Key<D>> back;
  for (const OwnedLeaf<D>& leaf : neighbours.known())
    if (leaf.owner != forest.rank) back.emplace_back(leaf.owner, leaf.key);
  Messages<Key<D>> sent;
  for (const auto& message : send_to_neighbours(expected, c.rules.balance)) sent.push_back(message);
  std::sort(sent.begin(), sent.end());
  auto returned = collectives.exchange(back);
  std::sort(returned.begin(), returned.end());
  n_different += returned != sent ? 1 : 0;

  // With what lies under them: counts are those of all ranks, and leaves stay where they are.
  if (c.rules.curve == Curve::morton && static_cast<int>(c.rules.balance) >= D) {
    const Forest<D> nested = nested_of(forest, collectives);
    for (const LevelSet<D>& set : nested.levels) {
      std::int64_t n = 0;
      for (const std::int64_t of_rank : collectives.all_gather(std::int64_t{std::ssize(set.keys)}))
        n += of_rank;
      n_different += n != set.n_global ? 1 : 0;
    }
    for (const Key<D>& leaf : forest.leaves)
      n_different += nested.has(leaf) && nested.owner(leaf) == forest.rank ? 0 : 1;
  }

  int sum = 0;
  for (const int n : collectives.all_gather(n_different)) sum += n;
  return sum;
}

}  // namespace thalweg::mesh::testing
