// SPDX-License-Identifier: MIT
#include <thalweg/mesh/assign_hilbert.hpp>

#include <algorithm>
#include <limits>

#include <thalweg/core/contract.hpp>
#include <thalweg/mesh/curve.hpp>

namespace thalweg::mesh {
namespace {

/// Finds the runs of one level.
template <int D>
class Runs {
 public:
  Runs(const Forest<D>& by_morton, int level, std::span<const std::int64_t> weights,
       std::vector<HilbertRun>& to)
      : level_(level),
        keys_(by_morton.level(level).keys),
        weights_(weights),
        begin_(by_morton.level(level).splitters[by_morton.rank()]),
        end_(by_morton.level(level).splitters[by_morton.rank() + 1]),
        is_last_(end_ == by_morton.geometry.code_end(level)),
        to_(to) {
    positions_.reserve(keys_.size());
    for (const Key<D>& key : keys_)
      positions_.push_back(curve_position(by_morton.geometry, Curve::hilbert, key));
    find(0, D * lattice_bits(by_morton.geometry, level), 0, keys_.size());
  }

 private:
  // Blocks [first, last) are those in the cube of codes [code, code + 2^bits).
  void find(std::uint64_t code, int bits, std::size_t first, std::size_t last) {
    if (first == last) return;
    if (code >= begin_ && (is_last_ || code + (std::uint64_t{1} << bits) <= end_))
      return add(first, last);
    for (std::uint64_t child = 0; child < 1u << D; ++child) {
      const std::uint64_t child_end = code + ((child + 1) << (bits - D));
      const auto after = std::ranges::lower_bound(keys_.subspan(first, last - first), child_end, {},
                                                  &Key<D>::code);
      const auto next = static_cast<std::size_t>(after - keys_.begin());
      find(code + (child << (bits - D)), bits - D, first, next);
      first = next;
    }
  }
  void add(std::size_t first, std::size_t last) {
    HilbertRun run{.level = level_};
    for (std::size_t i = first; i < last; ++i) {
      run.blocks.push_back(i);
      run.weight += weights_[i];
    }
    std::ranges::sort(run.blocks, {}, [&](std::size_t i) { return positions_[i]; });
    run.position = positions_[run.blocks.front()];
    to_.push_back(std::move(run));
  }

  int level_;
  std::span<const Key<D>> keys_;
  std::span<const std::int64_t> weights_;
  std::uint64_t begin_, end_;
  bool is_last_;  // nothing comes after
  std::vector<std::uint64_t> positions_;
  std::vector<HilbertRun>& to_;
};

}  // namespace

template <int D>
void write_summers(const Forest<D>& by_morton, std::span<std::uint64_t> to) {
  const auto ranks = static_cast<std::size_t>(by_morton.n_ranks);
  for (int l = 0; l < by_morton.n_levels(); ++l) {
    const auto of_level = to.subspan(static_cast<std::size_t>(l) * ranks, ranks);
    for (std::size_t q = 0; q < ranks; ++q) {
      const std::uint64_t code = by_morton.level(l).splitters[q];
      of_level[q] = code < by_morton.geometry.code_end(l)
                        ? curve_position(by_morton.geometry, Curve::hilbert, Key<D>{l, code})
                        : std::numeric_limits<std::uint64_t>::max();
    }
    std::ranges::sort(of_level);  // the first is 0, where rank 0 begins
  }
}

template <int D>
std::vector<HilbertRun> find_hilbert_runs(const Forest<D>& by_morton, const Weights& weights,
                                          std::span<const LevelPartition> partitions,
                                          std::span<const std::uint64_t> summers) {
  const auto ranks = static_cast<std::size_t>(by_morton.n_ranks);
  THALWEG_EXPECT(summers.size() == ranks * by_morton.levels.size(), "some ranks do not sum");
  std::vector<HilbertRun> runs;
  for (std::size_t l = 0; l < by_morton.levels.size(); ++l)
    if (partitions[l].moves) Runs<D>(by_morton, static_cast<int>(l), weights[l], runs);
  for (HilbertRun& run : runs) {
    const auto of_level = summers.subspan(static_cast<std::size_t>(run.level) * ranks, ranks);
    const auto after = std::ranges::upper_bound(of_level, run.position);
    run.summer = Rank(static_cast<std::size_t>(after - of_level.begin()) - 1);
  }
  // So answers, sorted by who sends them, come in this order.
  std::ranges::stable_sort(runs, {}, &HilbertRun::summer);
  return runs;
}

Messages<RunWeight> send_runs(std::span<const HilbertRun> runs) {
  Messages<RunWeight> out;
  for (const HilbertRun& run : runs)
    out.emplace_back(run.summer, RunWeight{run.level, run.position, run.weight});
  return out;
}

std::vector<std::int64_t> summed_weights(const Messages<RunWeight>& arrived, std::size_t n_levels) {
  std::vector<std::int64_t> sums(n_levels);
  for (const auto& [from, run] : arrived) sums[static_cast<std::size_t>(run.level)] += run.weight;
  return sums;
}

Messages<std::int64_t> send_weights_before(const Messages<RunWeight>& arrived,
                                           std::span<const std::int64_t> sums, Rank rank,
                                           std::size_t n_levels) {
  std::vector<std::int64_t> before(n_levels);
  for (std::size_t i = 0; i < rank() * n_levels; ++i) before[i % n_levels] += sums[i];

  std::vector<std::size_t> along(arrived.size());
  for (std::size_t i = 0; i < along.size(); ++i) along[i] = i;
  std::ranges::sort(along, {}, [&](std::size_t i) { return arrived[i].second.position; });
  Messages<std::int64_t> out(arrived.size());
  for (const std::size_t i : along) {
    const auto& [from, run] = arrived[i];
    std::int64_t& sum = before[static_cast<std::size_t>(run.level)];
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
    const auto l = static_cast<std::size_t>(runs[r].level);
    std::int64_t sum = before[r].second;
    for (const std::size_t i : runs[r].blocks) {
      owners_now[l][i] = chunk_owner(sum, weights[l][i], partitions[l].total, n_ranks);
      sum += weights[l][i];
    }
  }
  return owners_now;
}

template void write_summers(const Forest<1>&, std::span<std::uint64_t>);
template void write_summers(const Forest<2>&, std::span<std::uint64_t>);
template void write_summers(const Forest<3>&, std::span<std::uint64_t>);
template std::vector<HilbertRun> find_hilbert_runs(const Forest<1>&, const Weights&,
                                                   std::span<const LevelPartition>,
                                                   std::span<const std::uint64_t>);
template std::vector<HilbertRun> find_hilbert_runs(const Forest<2>&, const Weights&,
                                                   std::span<const LevelPartition>,
                                                   std::span<const std::uint64_t>);
template std::vector<HilbertRun> find_hilbert_runs(const Forest<3>&, const Weights&,
                                                   std::span<const LevelPartition>,
                                                   std::span<const std::uint64_t>);

}  // namespace thalweg::mesh
