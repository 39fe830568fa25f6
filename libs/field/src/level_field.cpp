// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
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
LevelField<D>::LevelField(const mesh::Geometry<D>& geometry, std::span<const mesh::Key<D>> keys,
                          int n_ghosts, int n_components, BlockPool& pool, LevelField& before,
                          const Joining& joining)
    : keys_(keys.begin(), keys.end()) {
  take_blocks(geometry, n_ghosts, n_components, pool, before, {}, joining);
}

template <int D>
void LevelField<D>::take_blocks(const mesh::Geometry<D>& geometry, int n_ghosts, int n_components,
                                BlockPool& pool, LevelField& before, const Centring<D>& centring,
                                const Joining& joining) {
  THALWEG_EXPECT(std::ranges::is_sorted(keys_), "keys are sorted as in the forest");
  views_.reserve(keys_.size());
  blocks_.resize(keys_.size());
  joined_.reserve(joining.blocks.size());
  auto joined = joining.blocks.begin();
  while (views_.size() < keys_.size()) {
    const std::size_t i = views_.size();
    const bool is_first = joined != joining.blocks.end() && joined->first == i;
    const std::size_t n = is_first ? joined->n : 1;
    const auto there = before.find(keys_[i]);
    const bool stays = there && before.n_in_array(*there) == n;
    BlockPool& of_size = n == 1 ? pool : joining.pools[std::countr_zero(n) - 1];
    blocks_[i] = stays ? std::move(before.blocks_[*there]) : of_size.acquire();
    const Box<D> cells = joined_cells(geometry.cells(keys_[i]), n);
    const View<double, D> array(blocks_[i].get(), centring.points(cells).grown(n_ghosts),
                                n_components);
    if (!is_first) {
      views_.push_back(array);
      continue;
    }
    ++joined;
    joined_.push_back({i, n, array});
    for (std::size_t k = i; k < i + n; ++k)
      views_.push_back(array.part(geometry.cells(keys_[k]).grown(n_ghosts)));
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
