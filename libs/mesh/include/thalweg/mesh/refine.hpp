// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/mesh/key.hpp>

namespace thalweg::mesh {

/// How many cells around a tagged one are refined as well: one number for all levels, or one for
/// each level with tags, coarsest first. The last holds for all finer levels, too, and those of
/// levels that there are not are not used.
class Buffers {
 public:
  Buffers(int of_all) : given_{of_all} {}
  /// @pre one number at least
  Buffers(std::initializer_list<int> of_each) : given_(of_each) {
    THALWEG_EXPECT(!given_.empty(), "one number holds for all levels");
  }
  /// @pre one number at least, and none that an int does not hold
  explicit Buffers(std::span<const std::int64_t> of_each) {
    THALWEG_EXPECT(!of_each.empty(), "one number holds for all levels");
    for (const std::int64_t n : of_each) {
      THALWEG_EXPECT(std::in_range<int>(n), "no block is so wide");
      given_.push_back(static_cast<int>(n));
    }
  }

  /// Around the tags of a level. @pre level >= 0
  int of(int level) const {
    THALWEG_EXPECT(level >= 0, "levels count from 0");
    return given_[std::min(static_cast<std::size_t>(level), given_.size() - 1)];
  }
  /// The numbers as they were given.
  const std::vector<int>& given() const { return given_; }

 private:
  std::vector<int> given_;
};

/// Name the blocks of the next level that a block's tagged cells ask for, sorted.
///
/// Each tagged cell is grown by the buffer on all sides; every block of the next level that touches
/// the result is wanted, also under the block's neighbours and around periodic axes.
/// @shape tags  one component, at least the cells of the block; non-zero means tagged
/// @pre   0 <= buffer <= block_cells of every axis [cells], and the block is not on the finest
/// level allowed
template <int D>
std::vector<Key<D>> wanted_children(const Geometry<D>& geometry, const Key<D>& block,
                                    std::type_identity_t<View<const std::uint8_t, D>> tags,
                                    int buffer);

}  // namespace thalweg::mesh
