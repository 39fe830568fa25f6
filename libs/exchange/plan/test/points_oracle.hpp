// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <thalweg/core/centring.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/exchange/plan/coarse.hpp>
#include <thalweg/exchange/plan/transfers.hpp>

#include "world.hpp"

// What tests of plans for points compare with: owners found out point by point, from cells alone.

namespace thalweg::exchange::testing {

/// Where a value is kept: a block, and the point's index there.
template <int D>
struct Place {
  mesh::Key<D> block;
  Index<D> point;

  bool operator==(const Place&) const = default;
};

/// Call f(cell) for the cells that have a point, in the order in which they own it.
template <int D, class F>
void for_each_cell_at(const Centring<D>& centring, const Index<D>& point, F&& f) {
  for_each(Box<D>::cube(2), [&](const Index<D>& below) {
    for (int a = 0; a < D; ++a)
      if (below[a] != 0 && !centring.between[a]) return;
    f(point - below);
  });
}

/// Who owns a point of a level, of the keys there are; found out from its cells alone.
template <int D, class Keys>
std::optional<Place<D>> owner_of(const mesh::Geometry<D>& geometry, const Keys& keys, int level,
                                 const Centring<D>& centring, const Index<D>& point) {
  std::optional<Place<D>> owner;
  for_each_cell_at(centring, point, [&](const Index<D>& cell) {
    const auto inside = wrapped(geometry, level, cell);
    if (owner || !inside) return;
    const auto block = holder(geometry, level, *inside);
    if (keys.contains(block)) owner = Place<D>{block, point + (*inside - cell)};
  });
  return owner;
}

template <int D>
bool is_in_domain(const mesh::Geometry<D>& geometry, int level, const Centring<D>& centring,
                  const Index<D>& point) {
  bool is_inside = false;
  for_each_cell_at(centring, point, [&](const Index<D>& cell) {
    is_inside = is_inside || wrapped(geometry, level, cell).has_value();
  });
  return is_inside;
}

/// Counts how often each point of a box is mentioned, and for a copy from where.
template <int D>
class Ledger {
 public:
  explicit Ledger(const Box<D>& box)
      : counts_(View<int, D>::size_of(box, 1)),
        places_(counts_.size()),
        n_(counts_.data(), box, 1),
        where_(places_.data(), box, 1) {}

  void enter(const Copy<D>& copy) {
    for_each(copy.region, [&](const Index<D>& i) {
      ++n_[0, i];
      where_[0, i] = {copy.src, i + copy.shift};
    });
  }
  void enter(const Box<D>& region) {
    for_each(region, [&](const Index<D>& i) { ++n_[0, i]; });
  }
  int count(const Index<D>& i) const { return n_[0, i]; }
  const Place<D>& where(const Index<D>& i) const { return where_[0, i]; }

 private:
  std::vector<int> counts_;
  std::vector<Place<D>> places_;
  View<int, D> n_;
  View<Place<D>, D> where_;
};

/// The part of a sorted list of copies that goes to one block.
template <int D>
Ledger<D> ledger_of(const Box<D>& box, const std::vector<Copy<D>>& copies,
                    const mesh::Key<D>& block) {
  Ledger<D> ledger(box);
  for (const auto& copy : std::ranges::equal_range(copies, block, {}, &Copy<D>::dst))
    ledger.enter(copy);
  return ledger;
}

/// A patch of the coarser level, with its regions.
template <int D>
struct PatchAndRegions {
  mesh::Key<D> fine;
  Box<D> patch;
  std::vector<Box<D>> regions;

  bool operator==(const PatchAndRegions&) const = default;
};

/// Add the patches of a plan, with their regions, to those of other ranks.
template <int D>
void append_patches(std::vector<PatchAndRegions<D>>& patches, const CoarsePlan<D>& plan) {
  for (const CoarsePatch<D>& patch : plan.patches) {
    const auto regions = plan.regions_of(patch);
    patches.push_back({patch.fine, patch.patch, {regions.begin(), regions.end()}});
  }
}

/// How many points of patches' regions are interpolated from what is not in the patch, or does not
/// come once from its owner there, but for what lies outside the domain.
/// @param coarse  all ranks' copies to the patches, sorted
template <int D>
int n_wrong_footprints(const World<D>& world, int level, const Centring<D>& centring,
                       const std::vector<PatchAndRegions<D>>& patches,
                       const std::vector<Copy<D>>& coarse) {
  const auto& geometry = world.geometry();
  int n_wrong = 0;
  for (const auto& patch : patches) {
    const auto copied = ledger_of(patch.patch, coarse, patch.fine);
    for (const Box<D>& region : patch.regions)
      for_each(region, [&](const Index<D>& fine) {
        const Box<D> footprint =
            centring.coarsened({fine, fine + Index<D>::filled(1)}, geometry.ratio(level - 1), 1);
        for_each(footprint, [&](const Index<D>& i) {
          const auto owner = owner_of(geometry, world.keys, level - 1, centring, i);
          const bool is_right =
              patch.patch.contains(i) && copied.count(i) == (owner ? 1 : 0) &&
              owner.has_value() == is_in_domain(geometry, level - 1, centring, i) &&
              (!owner || *owner == copied.where(i));
          n_wrong += !is_right;
        });
      });
  }
  return n_wrong;
}

}  // namespace thalweg::exchange::testing
