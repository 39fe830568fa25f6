// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <thalweg/exchange/plan/transfers.hpp>
#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/route.hpp>

namespace thalweg::exchange {

/// In which forest the sender of a claim has a block.
enum class ClaimOn : std::int32_t { old_forest, new_forest };

/// One rank tells another: I have this block.
template <int D>
struct Claim {
  mesh::Key<D> key;
  ClaimOn on = ClaimOn::old_forest;
};

/// How the blocks of a level get from the ranks of an old forest to those of a new one.
template <int D>
struct MovePlan {
  Transfers<D> transfers;  ///< whole blocks that are in both forests, src == dst; locals stay here
  std::vector<mesh::Key<D>> new_blocks;  ///< this rank's blocks that did not exist before, sorted

  bool operator==(const MovePlan&) const = default;
};

/// A claim that came through somebody who knew whom it concerns.
template <int D>
struct ForwardedClaim {
  Claim<D> claim;
  Rank from;  ///< who has the block
};

/// Round before plan_move, for all levels at once: old and new owners tell each other what they
/// have; or where blocks are assigned explicitly, both tell the directory rank of its place in the
/// new forest.
template <int D>
mesh::Outgoing<Claim<D>> send_claims(const mesh::Forest<D>& old_forest,
                                     const mesh::Forest<D>& new_forest);
/// Another round where blocks are assigned explicitly: directory ranks tell the owners of each
/// other.
template <int D>
mesh::Messages<ForwardedClaim<D>> forward_claims(const mesh::Messages<Claim<D>>& arrived);

/// Where forests have no table, and directory ranks are owners: to the directory ranks in one
/// forest of what this rank has in the other.
template <int D>
mesh::Outgoing<Claim<D>> send_claims_to_directory(const mesh::Forest<D>& mine,
                                                  const mesh::Forest<D>& to, ClaimOn on);

/// Tell the old and the new owner of each block of each other. Collective.
template <int D, mesh::Collectives R>
mesh::Messages<Claim<D>> exchange_claims(const mesh::Forest<D>& old_forest,
                                         const mesh::Forest<D>& new_forest, R&& collectives) {
  if (!old_forest.has_table()) {
    auto claims = mesh::route(new_forest,
                              send_claims_to_directory(old_forest, new_forest, ClaimOn::old_forest),
                              collectives);
    const auto back = mesh::route(
        old_forest, send_claims_to_directory(new_forest, old_forest, ClaimOn::new_forest),
        collectives);
    claims.insert(claims.end(), back.begin(), back.end());
    return claims;
  }
  const auto direct =
      mesh::exchange_with_directory(new_forest, collectives, send_claims(old_forest, new_forest));
  if (!old_forest.has_explicit_owners && !new_forest.has_explicit_owners) return direct;
  mesh::Messages<Claim<D>> claims;
  for (const auto& [directory_rank, forwarded] : collectives.exchange(forward_claims(direct)))
    claims.emplace_back(forwarded.from, forwarded.claim);
  return claims;
}

/// Plan the move of one level, on any level of the new forest.
template <int D>
MovePlan<D> plan_move(const mesh::Forest<D>& old_forest, const mesh::Forest<D>& new_forest,
                      const mesh::Messages<Claim<D>>& arrived, const PlanOptions& options);

}  // namespace thalweg::exchange
