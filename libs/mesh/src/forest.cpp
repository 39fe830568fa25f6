// SPDX-License-Identifier: MIT
#include <thalweg/mesh/forest.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/mesh/curve.hpp>
#include <thalweg/mesh/partition.hpp>

namespace thalweg::mesh {

namespace {

// Where a rank's part of level 0 begins at the start, or the next one's that is not empty.
template <int D>
std::uint64_t initial_splitter(const Geometry<D>& geometry, std::int64_t n_blocks, int rank,
                               int n_ranks) {
  const std::int64_t begin = chunk_begin(n_blocks, rank, n_ranks);
  if (begin == 0) return 0;
  return begin == n_blocks ? geometry.code_end(0)
                           : nth_block(geometry, Curve::morton, 0, begin).code;
}

template <int D>
Forest<D> forest_of_roots(const Geometry<D>& geometry, Rank rank, int n_ranks) {
  THALWEG_EXPECT(n_ranks > 0 && rank() < static_cast<unsigned>(n_ranks), "no such rank");
  LevelSet<D> roots;
  roots.n_global = count_blocks(geometry, 0);
  const int self = static_cast<int>(rank());
  roots.first_global = chunk_begin(roots.n_global, self, n_ranks);
  const std::int64_t end = chunk_begin(roots.n_global, self + 1, n_ranks);
  for (std::int64_t i = roots.first_global; i < end; ++i)
    roots.keys.push_back(nth_block(geometry, Curve::morton, 0, i));
  return {.geometry = geometry, .rank = rank, .n_ranks = n_ranks, .levels = {std::move(roots)}};
}

}  // namespace

template <int D>
std::optional<std::size_t> LevelSet<D>::find(const Key<D>& key) const {
  const auto it = std::lower_bound(keys.begin(), keys.end(), key);
  if (it == keys.end() || *it != key) return std::nullopt;
  return static_cast<std::size_t>(it - keys.begin());
}

template <int D>
const LevelSet<D>& Forest<D>::level(int l) const {
  THALWEG_EXPECT(l >= 0 && l < n_levels(), "no such level in the forest");
  return levels[static_cast<std::size_t>(l)];
}

template <int D>
Rank Forest<D>::owner(const Key<D>& key) const {
  if (!lists_owners()) return directory_rank(key);
  if (owns(key)) return rank;
  const auto& remote_owners = level(key.level).remote_owners;
  const auto found = std::ranges::lower_bound(remote_owners, key, {}, &OwnedKey<D>::key);
  THALWEG_EXPECT(found != remote_owners.end() && found->key == key,
                 "the block is not near this rank's");
  return found->owner;
}

template <int D>
bool Forest<D>::owns(const Key<D>& key) const {
  return has_explicit_owners ? has(key) : is_directory_of(key);
}

template <int D>
bool Forest<D>::has(const Key<D>& key) const {
  return key.level < n_levels() && level(key.level).find(key).has_value();
}

template <int D>
std::int64_t count_blocks(const Geometry<D>& geometry, int level) {
  std::int64_t n = 1;
  for (int a = 0; a < D; ++a)
    if (__builtin_mul_overflow(n, std::int64_t{geometry.blocks_at(level)[a]}, &n) ||
        n > std::int64_t{1} << 62)
      throw Error(fmt::format(
          "level {} has more than 2^62 blocks (more than can be counted); begin with fewer",
          level));
  return n;
}

template <int D>
void write_initial_splitters(const Geometry<D>& geometry, std::span<std::uint64_t> to) {
  const std::int64_t n_blocks = count_blocks(geometry, 0);
  const int n_ranks = static_cast<int>(to.size()) - 1;
  for (int q = 0; q <= n_ranks; ++q)
    to[static_cast<std::size_t>(q)] = initial_splitter(geometry, n_blocks, q, n_ranks);
}

template <int D>
Forest<D> initial_forest(const Geometry<D>& geometry, Rank rank, int n_ranks,
                         NodeSharedArray<std::uint64_t> splitters) {
  check_n_ranks(n_ranks);
  Forest<D> forest = forest_of_roots(geometry, rank, n_ranks);
  LevelSet<D>& roots = forest.levels[0];
  if (splitters.empty()) {
    std::vector<std::uint64_t> own(static_cast<std::size_t>(n_ranks) + 1);
    write_initial_splitters<D>(geometry, own);
    splitters = std::move(own);
  }
  roots.directory = {rank, std::move(splitters)};
  return forest;
}

template <int D>
Forest<D> initial_routed_forest(const Geometry<D>& geometry, Rank rank, int n_ranks) {
  Forest<D> forest = forest_of_roots(geometry, rank, n_ranks);
  LevelSet<D>& roots = forest.levels[0];
  roots.directory = {
      rank, n_ranks,
      routing_table_of(
          rank, n_ranks,
          [&](int q) { return initial_splitter(geometry, roots.n_global, q, n_ranks); }),
      geometry.code_end(0)};
  return forest;
}

template <int D>
bool has_same_blocks(const Forest<D>& a, const Forest<D>& b) {
  return a.levels == b.levels;
}

#define THALWEG_INSTANTIATE(D)                                                         \
  template struct LevelSet<D>;                                                         \
  template struct Forest<D>;                                                           \
  template std::int64_t count_blocks(const Geometry<D>&, int);                         \
  template void write_initial_splitters(const Geometry<D>&, std::span<std::uint64_t>); \
  template Forest<D> initial_forest(const Geometry<D>&, Rank, int,                     \
                                    NodeSharedArray<std::uint64_t>);                   \
  template Forest<D> initial_routed_forest(const Geometry<D>&, Rank, int);             \
  template bool has_same_blocks(const Forest<D>&, const Forest<D>&)

THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh
