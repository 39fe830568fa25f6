// SPDX-License-Identifier: MIT
#include <thalweg/mesh/assign_hilbert.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/mesh/curve.hpp>

namespace thalweg::mesh {
namespace {

/// Finds the runs of one list.
template <int D>
class Runs {
 public:
  Runs(const BlockLists<D>& blocks, std::size_t list, std::span<const std::int64_t> weights,
       std::vector<HilbertRun>& to)
      : list_(list), keys_(blocks.lists[list].keys), weights_(weights), to_(to) {
    const auto splitters = blocks.lists[list].splitters;
    const std::uint64_t length = curve_length(blocks.geometry, blocks.lists[list].level);
    begin_ = splitters[blocks.rank()] * length;
    end_ = splitters[blocks.rank() + 1] * length;
    is_last_ = splitters[blocks.rank() + 1] == splitters.back();
    for (const Key<D>& key : keys_) {
      on_morton_.push_back(curve_position(blocks.geometry, Curve::morton, key));
      positions_.push_back(curve_position(blocks.geometry, Curve::hilbert, key));
    }
    find(0, D * lattice_bits(blocks.geometry, blocks.geometry.max_level()), 0, keys_.size());
  }

 private:
  // Blocks [first, last) are those in the cube of places [code, code + 2^bits).
  void find(std::uint64_t code, int bits, std::size_t first, std::size_t last) {
    if (first == last) return;
    if (code >= begin_ && (is_last_ || code + (std::uint64_t{1} << bits) <= end_))
      return add(first, last);
    for (std::uint64_t child = 0; child < 1u << D; ++child) {
      const std::uint64_t child_end = code + ((child + 1) << (bits - D));
      const auto after =
          std::lower_bound(on_morton_.begin() + static_cast<std::ptrdiff_t>(first),
                           on_morton_.begin() + static_cast<std::ptrdiff_t>(last), child_end);
      const auto next = static_cast<std::size_t>(after - on_morton_.begin());
      find(code + (child << (bits - D)), bits - D, first, next);
      first = next;
    }
  }
  void add(std::size_t first, std::size_t last) {
    HilbertRun run{.list = static_cast<std::int32_t>(list_)};
    for (std::size_t i = first; i < last; ++i) {
      run.blocks.push_back(i);
      run.weight += weights_[i];
    }
    std::ranges::sort(run.blocks, {}, [&](std::size_t i) { return positions_[i]; });
    run.position = positions_[run.blocks.front()];
    to_.push_back(std::move(run));
  }

  std::size_t list_;
  std::span<const Key<D>> keys_;
  std::span<const std::int64_t> weights_;
  std::uint64_t begin_ = 0, end_ = 0;
  bool is_last_ = false;  // nothing comes after
  std::vector<std::uint64_t> on_morton_;
  std::vector<std::uint64_t> positions_;  // on Hilbert's curve
  std::vector<HilbertRun>& to_;
};

}  // namespace

template <int D>
void write_summers(const BlockLists<D>& blocks, std::span<std::uint64_t> to) {
  const auto ranks = static_cast<std::size_t>(blocks.n_ranks);
  for (std::size_t l = 0; l < blocks.lists.size(); ++l) {
    const auto of_list = to.subspan(l * ranks, ranks);
    const auto& [keys, splitters, level, first, n] = blocks.lists[l];
    for (std::size_t q = 0; q < ranks; ++q)
      of_list[q] = splitters[q] < splitters.back()
                       ? curve_position(blocks.geometry, Curve::hilbert, {level, splitters[q]})
                       : std::numeric_limits<std::uint64_t>::max();
    std::ranges::sort(of_list);  // the first is 0, where rank 0 begins
  }
}

template <int D>
std::vector<HilbertRun> find_hilbert_runs(const BlockLists<D>& blocks, const Weights& weights,
                                          std::span<const LevelPartition> partitions,
                                          std::span<const std::uint64_t> summers) {
  const auto ranks = static_cast<std::size_t>(blocks.n_ranks);
  THALWEG_EXPECT(summers.size() == ranks * blocks.lists.size(), "some ranks do not sum");
  std::vector<HilbertRun> runs;
  for (std::size_t l = 0; l < blocks.lists.size(); ++l)
    if (partitions[l].moves) Runs<D>(blocks, l, weights[l], runs);
  for (HilbertRun& run : runs) {
    const auto of_list = summers.subspan(static_cast<std::size_t>(run.list) * ranks, ranks);
    const auto after = std::ranges::upper_bound(of_list, run.position);
    run.summer = Rank(static_cast<std::size_t>(after - of_list.begin()) - 1);
  }
  // So answers, sorted by who sends them, come in this order.
  std::ranges::stable_sort(runs, {}, &HilbertRun::summer);
  return runs;
}

Messages<RunWeight> send_runs(std::span<const HilbertRun> runs) {
  Messages<RunWeight> out;
  for (const HilbertRun& run : runs)
    out.emplace_back(run.summer, RunWeight{run.list, run.position, run.weight});
  return out;
}

std::vector<std::int64_t> summed_weights(const Messages<RunWeight>& arrived, std::size_t n_lists) {
  std::vector<std::int64_t> sums(n_lists);
  for (const auto& [from, run] : arrived) sums[static_cast<std::size_t>(run.list)] += run.weight;
  return sums;
}

Messages<std::int64_t> send_weights_before(const Messages<RunWeight>& arrived,
                                           std::span<const std::int64_t> sums, Rank rank,
                                           std::size_t n_lists) {
  std::vector<std::int64_t> before(n_lists);
  for (std::size_t i = 0; i < rank() * n_lists; ++i) before[i % n_lists] += sums[i];

  std::vector<std::size_t> along(arrived.size());
  for (std::size_t i = 0; i < along.size(); ++i) along[i] = i;
  std::ranges::sort(along, {}, [&](std::size_t i) { return arrived[i].second.position; });
  Messages<std::int64_t> out(arrived.size());
  for (const std::size_t i : along) {
    const auto& [from, run] = arrived[i];
    std::int64_t& sum = before[static_cast<std::size_t>(run.list)];
    out[i] = {from, sum};
    sum += run.weight;
  }
  return out;
}

Owners owners_along(Owners owners_now, const Weights& weights,
                    std::span<const LevelPartition> partitions, std::span<const HilbertRun> runs,
                    const Messages<std::int64_t>& before, int n_ranks) {
  THALWEG_EXPECT(before.size() == runs.size(), "each run has an answer");
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const auto l = static_cast<std::size_t>(runs[r].list);
    std::int64_t sum = before[r].second;
    for (const std::size_t i : runs[r].blocks) {
      owners_now[l][i] = chunk_owner(sum, weights[l][i], partitions[l].total, n_ranks);
      sum += weights[l][i];
    }
  }
  return owners_now;
}

#define THALWEG_INSTANTIATE(D)                                                             \
  template void write_summers(const BlockLists<D>&, std::span<std::uint64_t>);             \
  template std::vector<HilbertRun> find_hilbert_runs(const BlockLists<D>&, const Weights&, \
                                                     std::span<const LevelPartition>,      \
                                                     std::span<const std::uint64_t>)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh
