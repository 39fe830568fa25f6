// SPDX-License-Identifier: MIT
#include <thalweg/exchange/plan/move.hpp>

#include <thalweg/core/dimensions.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

#include "detail.hpp"

namespace thalweg::exchange {
namespace {

// Tell the directory ranks of the places of this rank's blocks in a forest.
template <int D>
void claim(const mesh::Forest<D>& mine, const mesh::Forest<D>& to, int n_levels, ClaimOn on,
           mesh::Outgoing<Claim<D>>& out) {
  for (int l = 0; l < n_levels; ++l)
    for (const mesh::Key<D>& key : mine.level(l).keys)
      out.emplace_back(mesh::to_directory(to, key), Claim<D>{key, on});
}

}  // namespace

template <int D>
mesh::Outgoing<Claim<D>> send_claims(const mesh::Forest<D>& old_forest,
                                     const mesh::Forest<D>& new_forest) {
  THALWEG_EXPECT(
      old_forest.geometry == new_forest.geometry && old_forest.n_ranks == new_forest.n_ranks,
      "forests of one run");
  const int n_levels = std::min(old_forest.n_levels(), new_forest.n_levels());
  const bool has_explicit_owners = old_forest.has_explicit_owners || new_forest.has_explicit_owners;
  mesh::Outgoing<Claim<D>> out;
  claim(old_forest, new_forest, n_levels, ClaimOn::old_forest, out);
  claim(new_forest, has_explicit_owners ? new_forest : old_forest, n_levels, ClaimOn::new_forest,
        out);
  return out;
}

template <int D>
mesh::Outgoing<Claim<D>> send_claims_to_directory(const mesh::Forest<D>& mine,
                                                  const mesh::Forest<D>& to, ClaimOn on) {
  mesh::Outgoing<Claim<D>> out;
  claim(mine, to, std::min(mine.n_levels(), to.n_levels()), on, out);
  return out;
}

template <int D>
mesh::Messages<ForwardedClaim<D>> forward_claims(const mesh::Messages<Claim<D>>& arrived) {
  auto claims = arrived;
  std::ranges::sort(claims, {},
                    [](const auto& claim) { return std::pair(claim.second.key, claim.second.on); });
  mesh::Messages<ForwardedClaim<D>> out;
  for (std::size_t i = 0; i + 1 < claims.size(); ++i) {
    const auto& [before, given] = claims[i];
    const auto& [after, taken] = claims[i + 1];
    if (given.key != taken.key) continue;
    out.emplace_back(after, ForwardedClaim<D>{given, before});
    out.emplace_back(before, ForwardedClaim<D>{taken, after});
  }
  return out;
}

template <int D>
MovePlan<D> plan_move(const mesh::Forest<D>& old_forest, const mesh::Forest<D>& new_forest,
                      const mesh::Messages<Claim<D>>& arrived, const PlanOptions& options) {
  const mesh::LevelSet<D>& mine = new_forest.level(options.level);
  MovePlan<D> plan;
  detail::Collected<D> collected;
  std::vector<mesh::Key<D>> kept;
  for (const auto& [from, claim] : arrived) {
    if (claim.key.level != options.level) continue;
    const Copy<D> copy{claim.key, claim.key, new_forest.geometry.cells(claim.key), {}};
    if (claim.on == ClaimOn::old_forest && mine.find(claim.key)) {
      kept.push_back(claim.key);
      collected.take(from, new_forest.rank, copy);
    } else if (claim.on == ClaimOn::new_forest && from != old_forest.rank &&
               old_forest.has(claim.key)) {
      collected.sends.emplace_back(from, copy);
    }
  }
  std::sort(kept.begin(), kept.end());
  std::set_difference(mine.keys.begin(), mine.keys.end(), kept.begin(), kept.end(),
                      std::back_inserter(plan.new_blocks));
  plan.transfers = detail::make_transfers(std::move(collected), options.max_comm_tasks);
  return plan;
}

#define THALWEG_INSTANTIATE(D)                                                                   \
  template mesh::Outgoing<Claim<D>> send_claims(const mesh::Forest<D>&, const mesh::Forest<D>&); \
  template mesh::Messages<ForwardedClaim<D>> forward_claims(const mesh::Messages<Claim<D>>&);    \
  template mesh::Outgoing<Claim<D>> send_claims_to_directory(const mesh::Forest<D>&,             \
                                                             const mesh::Forest<D>&, ClaimOn);   \
  template MovePlan<D> plan_move(const mesh::Forest<D>&, const mesh::Forest<D>&,                 \
                                 const mesh::Messages<Claim<D>>&, const PlanOptions&)

THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::exchange
