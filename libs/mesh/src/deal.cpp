// SPDX-License-Identifier: MIT
#include <thalweg/mesh/deal.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/mesh/assign.hpp>
#include <thalweg/mesh/imbalance.hpp>

namespace thalweg::mesh {
namespace {

std::size_t at(std::int32_t level) {
  return static_cast<std::size_t>(level);
}

}  // namespace

void check_dealing(Directory directory, int n_ranks) {
  if (directory != Directory::table)
    throw Error(fmt::format(
        "blocks dealt out on {} ranks without a table of them (who owns a block is asked of ranks "
        "that are looked up there, which is for {} ranks at most); divide blocks along Morton's "
        "curve, or run on fewer ranks with more workers each, with a table",
        n_ranks, max_table_ranks));
}

template <int D>
Weights weights_in(const Forest<D>& forest, const Messages<WeighedKey<D>>& owned) {
  Weights weights;
  for (const LevelSet<D>& set : forest.levels) weights.emplace_back(set.keys.size());
  for (const auto& [from, weighed] : owned) {
    const std::size_t l = at(weighed.key.level);
    weights[l][*forest.levels[l].find(weighed.key)] = weighed.weight;
  }
  return weights;
}

template <int D>
Messages<Key<D>> send_holdings(const Forest<D>& old, const Forest<D>& kept) {
  Messages<Key<D>> out;
  for (int l = 0; l < std::min(old.n_levels(), kept.n_levels()); ++l)
    for (const Key<D>& key : old.level(l).keys) out.emplace_back(kept.keeper(key), key);
  return out;
}

template <int D>
Owners holders_of(const Forest<D>& kept, const Messages<Key<D>>& arrived) {
  Owners holders;
  for (const LevelSet<D>& set : kept.levels) holders.emplace_back(set.keys.size(), kept.rank);
  for (const auto& [from, key] : arrived)
    if (const auto i = kept.level(key.level).find(key)) holders[at(key.level)][*i] = from;
  return holders;
}

Messages<LevelLoad> send_kept_loads(const Weights& weights, const Owners& holders) {
  Messages<LevelLoad> out;
  for (std::size_t l = 0; l < weights.size(); ++l)
    for (std::size_t i = 0; i < weights[l].size(); ++i) {
      const auto level = static_cast<std::int32_t>(l);
      if (out.empty() || out.back().first != holders[l][i] || out.back().second.level != level)
        out.emplace_back(holders[l][i], LevelLoad{level, 0});
      out.back().second.weight += weights[l][i];
    }
  return out;
}

DealGroup deal_group(std::int64_t n_blocks, Rank rank, int n_ranks, std::int64_t most) {
  THALWEG_EXPECT(most > 0, "somebody deals");
  const auto n_groups = static_cast<int>(
      std::clamp((n_blocks + most - 1) / most, std::int64_t{1}, std::int64_t{n_ranks}));
  const int group = static_cast<int>(chunk_owner(rank(), 1, n_ranks, n_groups)());
  const auto begin = static_cast<int>(chunk_begin(n_ranks, group, n_groups));
  return {begin, static_cast<int>(chunk_begin(n_ranks, group + 1, n_groups)) - begin};
}

template <int D>
Messages<Offer> send_offers(const Forest<D>& kept, const Weights& weights,
                            std::span<const LevelCut> cuts, std::int64_t most) {
  Messages<Offer> out;
  for (int l = 0; l < kept.n_levels(); ++l) {
    const LevelSet<D>& set = kept.level(l);
    if (!cuts[at(l)].moves) continue;
    const Rank dealer = deal_group(set.n_global, kept.rank, kept.n_ranks, most).dealer(l);
    for (std::size_t i = 0; i < set.keys.size(); ++i)
      out.emplace_back(dealer, Offer{l, weights[at(l)][i]});
  }
  return out;
}

template <int D>
Messages<Dealt> deal_out(const Forest<D>& kept, const Messages<Offer>& offers, std::int64_t most) {
  // Keepers follow the curve, and messages come by rank: each level is in order.
  Weights weights(kept.levels.size());
  for (const auto& [from, offer] : offers) weights.at(at(offer.level)).push_back(offer.weight);
  Owners owners;
  for (std::size_t l = 0; l < weights.size(); ++l) {
    const DealGroup group = deal_group(kept.levels[l].n_global, kept.rank, kept.n_ranks, most);
    owners.push_back(assign_knapsack(weights[l], group.n_ranks));
    for (Rank& owner : owners.back()) owner = Rank(static_cast<unsigned>(group.first) + owner());
  }
  std::vector<std::size_t> next(owners.size());
  Messages<Dealt> out;
  for (const auto& [from, offer] : offers)
    out.emplace_back(from, Dealt{offer.level, owners[at(offer.level)][next[at(offer.level)]++]});
  return out;
}

template <int D>
Owners owners_in_turn(const Forest<D>& kept, Owners holders, std::span<const LevelCut> cuts) {
  for (std::size_t l = 0; l < holders.size(); ++l)
    for (std::size_t i = 0; cuts[l].moves && i < holders[l].size(); ++i)
      holders[l][i] = Rank(static_cast<std::uint32_t>(kept.levels[l].position(i) % kept.n_ranks));
  return holders;
}

Owners owners_dealt(Owners holders, const Messages<Dealt>& dealt) {
  std::vector<std::size_t> next(holders.size());
  // A level has one dealer for a rank, who answers in the order of the offers.
  for (const auto& [from, d] : dealt) holders[at(d.level)].at(next[at(d.level)]++) = d.owner;
  return holders;
}

template <int D>
Messages<DealtKey<D>> send_dealt(const Forest<D>& kept, const Weights& weights,
                                 const Owners& owners) {
  Messages<DealtKey<D>> out;
  for (std::size_t l = 0; l < owners.size(); ++l)
    for (std::size_t i = 0; i < owners[l].size(); ++i)
      out.emplace_back(owners[l][i], DealtKey<D>{kept.levels[l].keys[i], weights[l][i],
                                                 kept.levels[l].position(i)});
  return out;
}

template <int D>
std::vector<Extent> extents_of_dealt(const Messages<DealtKey<D>>& arrived, std::size_t n_levels) {
  std::vector<Extent> extents(n_levels);
  for (const auto& [from, dealt] : arrived) {
    ++extents[at(dealt.key.level)].n_blocks;
    extents[at(dealt.key.level)].weight += dealt.weight;
  }
  return extents;
}

template <int D>
PartitionedForest<D> collect_dealt(const Forest<D>& kept, const Messages<DealtKey<D>>& arrived,
                                   std::span<const LevelCut> cuts,
                                   std::span<const Extent> extents) {
  const auto ranks = static_cast<std::size_t>(kept.n_ranks);
  THALWEG_EXPECT(extents.size() == ranks * kept.levels.size(), "extents of some ranks are missing");
  PartitionedForest<D> result{kept, {}};
  result.forest.is_dealt = true;
  std::vector<std::int64_t> loads(ranks);
  for (std::size_t l = 0; l < kept.levels.size(); ++l) {
    LevelSet<D>& set = result.forest.levels[l];
    set.keys.clear();
    set.first_global = 0;
    for (std::size_t q = 0; q < ranks; ++q) {
      const Extent& extent = extents[q * kept.levels.size() + l];
      loads[q] = extent.weight;
      if (q < kept.rank()) set.first_global += extent.n_blocks;
    }
    result.imbalance.push_back({cuts[l].imbalance, imbalance(loads)});
  }
  // Keepers are sorted along the curve and send in its order, so what arrives on a level is sorted.
  for (const auto& [from, dealt] : arrived) {
    LevelSet<D>& set = result.forest.levels[at(dealt.key.level)];
    THALWEG_ASSERT(set.keys.empty() || set.keys.back() < dealt.key, "keepers follow the curve");
    set.keys.push_back(dealt.key);
    set.positions.push_back(dealt.position);
  }
  return result;
}

template Weights weights_in(const Forest<1>&, const Messages<WeighedKey<1>>&);
template Messages<Key<1>> send_holdings(const Forest<1>&, const Forest<1>&);
template Owners holders_of(const Forest<1>&, const Messages<Key<1>>&);
template Messages<Offer> send_offers(const Forest<1>&, const Weights&, std::span<const LevelCut>,
                                     std::int64_t);
template Messages<Dealt> deal_out(const Forest<1>&, const Messages<Offer>&, std::int64_t);
template Owners owners_in_turn(const Forest<1>&, Owners, std::span<const LevelCut>);
template Messages<DealtKey<1>> send_dealt(const Forest<1>&, const Weights&, const Owners&);
template std::vector<Extent> extents_of_dealt(const Messages<DealtKey<1>>&, std::size_t);
template PartitionedForest<1> collect_dealt(const Forest<1>&, const Messages<DealtKey<1>>&,
                                            std::span<const LevelCut>, std::span<const Extent>);
template Weights weights_in(const Forest<2>&, const Messages<WeighedKey<2>>&);
template Messages<Key<2>> send_holdings(const Forest<2>&, const Forest<2>&);
template Owners holders_of(const Forest<2>&, const Messages<Key<2>>&);
template Messages<Offer> send_offers(const Forest<2>&, const Weights&, std::span<const LevelCut>,
                                     std::int64_t);
template Messages<Dealt> deal_out(const Forest<2>&, const Messages<Offer>&, std::int64_t);
template Owners owners_in_turn(const Forest<2>&, Owners, std::span<const LevelCut>);
template Messages<DealtKey<2>> send_dealt(const Forest<2>&, const Weights&, const Owners&);
template std::vector<Extent> extents_of_dealt(const Messages<DealtKey<2>>&, std::size_t);
template PartitionedForest<2> collect_dealt(const Forest<2>&, const Messages<DealtKey<2>>&,
                                            std::span<const LevelCut>, std::span<const Extent>);
template Weights weights_in(const Forest<3>&, const Messages<WeighedKey<3>>&);
template Messages<Key<3>> send_holdings(const Forest<3>&, const Forest<3>&);
template Owners holders_of(const Forest<3>&, const Messages<Key<3>>&);
template Messages<Offer> send_offers(const Forest<3>&, const Weights&, std::span<const LevelCut>,
                                     std::int64_t);
template Messages<Dealt> deal_out(const Forest<3>&, const Messages<Offer>&, std::int64_t);
template Owners owners_in_turn(const Forest<3>&, Owners, std::span<const LevelCut>);
template Messages<DealtKey<3>> send_dealt(const Forest<3>&, const Weights&, const Owners&);
template std::vector<Extent> extents_of_dealt(const Messages<DealtKey<3>>&, std::size_t);
template PartitionedForest<3> collect_dealt(const Forest<3>&, const Messages<DealtKey<3>>&,
                                            std::span<const LevelCut>, std::span<const Extent>);

}  // namespace thalweg::mesh
