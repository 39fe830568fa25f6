// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/field/level_field.hpp>

namespace thalweg::field {

template <int D>
LevelField<D>::LevelField(const mesh::Geometry<D>& geometry, std::span<const mesh::Key<D>> keys,
                          int n_ghosts, int n_components, BlockPool& pool,
                          const Centring<D>& centring)
    : keys_(keys.begin(), keys.end()) {
  LevelField nothing;
  take_blocks(geometry, n_ghosts, n_components, pool, nothing, centring);
}

template <int D>
LevelField<D>::LevelField(const mesh::Geometry<D>& geometry, std::span<const mesh::Key<D>> keys,
                          int n_ghosts, int n_components, BlockPool& pool, LevelField& before,
                          const Centring<D>& centring)
    : keys_(keys.begin(), keys.end()) {
  take_blocks(geometry, n_ghosts, n_components, pool, before, centring);
}

template <int D>
void LevelField<D>::take_blocks(const mesh::Geometry<D>& geometry, int n_ghosts, int n_components,
                                BlockPool& pool, LevelField& before, const Centring<D>& centring) {
  THALWEG_EXPECT(std::ranges::is_sorted(keys_), "keys are sorted as in the forest");
  views_.reserve(keys_.size());
  blocks_.reserve(keys_.size());
  for (const auto& key : keys_) {
    const auto there = before.find(key);
    blocks_.push_back(there ? std::move(before.blocks_[*there]) : pool.acquire());
    THALWEG_EXPECT(blocks_.back() != nullptr, "a block is taken over once");
    views_.emplace_back(blocks_.back().get(), centring.points(geometry.cells(key)).grown(n_ghosts),
                        n_components);
  }
}

template <int D>
std::optional<std::size_t> LevelField<D>::find(const mesh::Key<D>& key) const {
  const auto it = std::ranges::lower_bound(keys_, key);
  if (it == keys_.end() || *it != key) return std::nullopt;
  return static_cast<std::size_t>(it - keys_.begin());
}

#define THALWEG_INSTANTIATE(D) template class LevelField<D>
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::field
