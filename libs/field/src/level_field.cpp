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
  take_blocks(geometry, n_ghosts, n_components, {&pool, 1}, nothing, centring);
}

template <int D>
LevelField<D>::LevelField(const mesh::Geometry<D>& geometry, std::span<const mesh::Key<D>> keys,
                          int n_ghosts, int n_components, BlockPool& pool, LevelField& before,
                          const Centring<D>& centring)
    : keys_(keys.begin(), keys.end()) {
  take_blocks(geometry, n_ghosts, n_components, {&pool, 1}, before, centring);
}

template <int D>
LevelField<D>::LevelField(const mesh::Geometry<D>& geometry, std::span<const mesh::Key<D>> keys,
                          int n_ghosts, int n_components, std::span<BlockPool> pools,
                          LevelField& before, std::span<const JoinedBlocks> joined)
    : keys_(keys.begin(), keys.end()) {
  take_blocks(geometry, n_ghosts, n_components, pools, before, {}, joined);
}

template <int D>
void LevelField<D>::take_blocks(const mesh::Geometry<D>& geometry, int n_ghosts, int n_components,
                                std::span<BlockPool> pools, LevelField& before,
                                const Centring<D>& centring, std::span<const JoinedBlocks> joined) {
  THALWEG_EXPECT(std::ranges::is_sorted(keys_), "keys are sorted as in the forest");
  views_.reserve(keys_.size());
  blocks_.resize(keys_.size());
  joined_.reserve(joined.size());
  for_each_array(keys_.size(), joined, [&](std::size_t i, std::size_t n, const auto* blocks) {
    const auto there = before.find(keys_[i]);
    const bool stays = there && before.n_in_array(*there) == n;
    blocks_[i] = stays ? std::move(before.blocks_[*there]) : pools[pool_number(n)].acquire();
    const Box<D> cells = joined_cells(geometry.cells(keys_[i]), n);
    const View<double, D> array(blocks_[i].get(), centring.points(cells).grown(n_ghosts),
                                n_components);
    if (blocks == nullptr) {
      views_.push_back(array);
      return;
    }
    joined_.push_back({i, n, array});
    for (std::size_t k = i; k < i + n; ++k)
      views_.push_back(array.part(geometry.cells(keys_[k]).grown(n_ghosts)));
  });
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
