// SPDX-License-Identifier: MIT
#include <thalweg/exchange/plan/points.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include <thalweg/core/dimensions.hpp>
#include <thalweg/mesh/offsets.hpp>

#include "detail.hpp"
#include "pieces.hpp"
#include "points_detail.hpp"

namespace thalweg::exchange {
namespace {

// Plan copies to `takers` from `givers`, both given as masks of which blocks around each block of
// this rank, itself included, are of that kind: every point goes from the first giver that has it.
template <int D>
Transfers<D> collect(const mesh::Forest<D>& forest, const Centring<D>& centring,
                     const PlanOptions& options, const detail::Masks<D>& givers,
                     const detail::Masks<D>& takers) {
  const mesh::Geometry<D>& geometry = forest.geometry;
  const auto& keys = forest.level(options.level).keys;
  constexpr Index<D> here{};
  detail::Collected<D> collected;
  std::array<std::vector<Box<D>>, mesh::n_offsets<D>> parts;  // by the offset of who gives them
  std::vector<Box<D>> given;
  // Both sides of a message join the same boxes in the same order.
  const auto copies = [&](const mesh::Key<D>& to, const Index<D>& offset,
                          std::vector<Box<D>>& boxes, auto&& f) {
    detail::join(boxes);
    const mesh::Key<D> from = *geometry.neighbour(to, offset);
    const Index<D> shift = geometry.wrap_shift(to, offset);
    for (const Box<D>& box : boxes) f(Copy<D>{from, to, box, shift});
    boxes.clear();
  };
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const mesh::Key<D>& key = keys[i];
    if (takers[i].has(here))
      detail::for_each_piece(
          geometry.cells(key), centring, options.n_ghosts, [&](const detail::Piece<D>& piece) {
            const auto owner =
                piece.first_block([&](const Index<D>& o) { return givers[i].has(o); });
            if (owner && *owner != here)
              parts[static_cast<std::size_t>(mesh::offset_number(*owner))].push_back(piece.points);
          });
    for (int o = 0; o < mesh::n_offsets<D>; ++o) {
      const Index<D> offset = mesh::offset_at<D>(o);
      if (offset == here) continue;
      if (takers[i].has(here) && givers[i].has(o)) {
        const Rank owner = forest.owner(*geometry.neighbour(key, offset));
        copies(key, offset, parts[static_cast<std::size_t>(o)],
               [&](const Copy<D>& copy) { collected.take(owner, forest.rank, copy); });
      }
      if (!givers[i].has(here) || !takers[i].has(o)) continue;
      const mesh::Key<D> taker = *geometry.neighbour(key, offset);
      const Rank owner = forest.owner(taker);
      if (owner == forest.rank) continue;
      // Seen from the taker this block is at -offset, and what has the same points is around both.
      const Index<D> giver = offset * -1;
      detail::for_each_piece(
          geometry.cells(taker), centring, options.n_ghosts, [&](const detail::Piece<D>& piece) {
            if (!piece.touches(giver)) return;
            const auto first =
                piece.first_block([&](const Index<D>& q) { return givers[i].has(q + offset); });
            if (first == giver) given.push_back(piece.points);
          });
      copies(taker, giver, given,
             [&](const Copy<D>& copy) { collected.sends.emplace_back(owner, copy); });
    }
  }
  return detail::make_transfers(std::move(collected), options.max_comm_tasks);
}

}  // namespace

template <int D>
GhostPlan<D> plan_ghost_points(const mesh::Forest<D>& forest,
                               const mesh::NeighbourInfo<D>& neighbours,
                               const Centring<D>& centring, const PlanOptions& options) {
  detail::check_points(forest, neighbours, options, 0);
  const detail::Masks<D>& all = detail::masks_of(neighbours, options.level);
  return {.reach = {options.n_ghosts}, .transfers = collect(forest, centring, options, all, all)};
}

template <int D>
RestrictPlan<D> plan_restrict_points(const mesh::Forest<D>& forest,
                                     const mesh::NeighbourInfo<D>& neighbours,
                                     const Centring<D>& centring, const PlanOptions& options) {
  detail::check_points(forest, neighbours, options, 1);
  const mesh::Geometry<D>& geometry = forest.geometry;
  detail::Collected<D> collected;
  detail::for_each_neighbour(
      forest, neighbours, options.level, [&](const auto& key, const auto& mask, Rank owner) {
        std::vector<Box<D>> own;
        detail::for_each_piece(
            geometry.cells(key), centring, 0, [&](const detail::Piece<D>& piece) {
              if (piece.first_block([&](const Index<D>& o) { return mask.has(o); }) == Index<D>{})
                own.push_back(piece.points);
            });
        detail::join(own);
        for (const Box<D>& points : own) {
          const Box<D> coarse = centring.covered(points, geometry.ratio(key.level - 1));
          detail::for_each_owner(
              geometry, geometry.parent(key), {coarse}, centring,
              [&](const mesh::Key<D>& to, const Box<D>& part, const Index<D>& shift) {
                const Copy<D> copy{key, to, part.shifted(shift), shift * -1};
                if (forest.owns(to))
                  collected.take(owner, forest.rank, copy);
                else if (owner == forest.rank)
                  collected.sends.emplace_back(forest.owner(to), copy);
              });
        }
      });
  return {.transfers = detail::make_transfers(std::move(collected), options.max_comm_tasks)};
}

template <int D>
MovePlan<D> move_points(MovePlan<D> plan, const Centring<D>& centring) {
  const auto extend = [&](std::vector<Copy<D>>& copies) {
    std::int64_t n_points = 0;
    for (Copy<D>& copy : copies) {
      copy.region = centring.points(copy.region);
      n_points += copy.n_cells();
    }
    return n_points;
  };
  extend(plan.transfers.locals);
  for (Message<D>& message : plan.transfers.sends) message.n_cells = extend(message.copies);
  for (Message<D>& message : plan.transfers.recvs) message.n_cells = extend(message.copies);
  return plan;
}

template <int D>
mesh::Messages<NewNeighbour<D>> send_new_neighbours(
    const mesh::Forest<D>& forest, const mesh::NeighbourInfo<D>& neighbours,
    std::type_identity_t<std::span<const mesh::Key<D>>> new_keys) {
  mesh::Messages<NewNeighbour<D>> out;
  for (const mesh::Key<D>& key : new_keys) {
    const auto i = forest.level(key.level).find(key);
    THALWEG_EXPECT(i, "a new block belongs to this rank");
    for (int o = 0; o < mesh::n_offsets<D>; ++o) {
      if (!detail::masks_of(neighbours, key.level)[*i].has(o)) continue;
      const mesh::Key<D> to = *forest.geometry.neighbour(key, mesh::offset_at<D>(o));
      out.emplace_back(forest.owner(to), NewNeighbour<D>{to, mesh::n_offsets<D> - 1 - o});
    }
  }
  return out;
}

template <int D>
GhostPlan<D> plan_old_points(const mesh::Forest<D>& forest,
                             const mesh::NeighbourInfo<D>& neighbours,
                             const mesh::Messages<NewNeighbour<D>>& arrived,
                             const Centring<D>& centring, const PlanOptions& options) {
  detail::check_points(forest, neighbours, options, 0);
  detail::Masks<D> kept = detail::masks_of(neighbours, options.level);
  detail::Masks<D> fresh(kept.size(), mesh::NeighbourMask<D>{.bits = 0});
  for (const auto& [from, told] : arrived) {
    if (told.block.level != options.level) continue;
    const auto i = forest.level(options.level).find(told.block);
    THALWEG_EXPECT(i, "told who has the block");
    fresh[*i].set(told.offset);
    kept[*i].bits &= ~fresh[*i].bits;
  }
  PlanOptions between = options;
  between.n_ghosts = 0;
  return {.reach = {0}, .transfers = collect(forest, centring, between, kept, fresh)};
}

#define THALWEG_INSTANTIATE(D)                                                                     \
  template GhostPlan<D> plan_ghost_points(const mesh::Forest<D>&, const mesh::NeighbourInfo<D>&,   \
                                          const Centring<D>&, const PlanOptions&);                 \
  template RestrictPlan<D> plan_restrict_points(const mesh::Forest<D>&,                            \
                                                const mesh::NeighbourInfo<D>&, const Centring<D>&, \
                                                const PlanOptions&);                               \
  template MovePlan<D> move_points(MovePlan<D>, const Centring<D>&);                               \
  template mesh::Messages<NewNeighbour<D>> send_new_neighbours<D>(                                 \
      const mesh::Forest<D>&, const mesh::NeighbourInfo<D>&, std::span<const mesh::Key<D>>);       \
  template GhostPlan<D> plan_old_points(const mesh::Forest<D>&, const mesh::NeighbourInfo<D>&,     \
                                        const mesh::Messages<NewNeighbour<D>>&,                    \
                                        const Centring<D>&, const PlanOptions&)

THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::exchange
