// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <thalweg/mesh/key.hpp>

namespace thalweg::miniamr {

/// Finds the number of a block by its key: a table with open addressing, since refinement looks up
/// each block's neighbours. @cost O(1), one cache miss mostly
class KeyIndex {
 public:
  /// @param n_keys  that will be put in, at most
  explicit KeyIndex(std::size_t n_keys = 0)
      : shift_(64 - static_cast<int>(std::bit_width(2 * n_keys + 1))),
        slots_(std::size_t{1} << (64 - shift_)) {}

  /// Put a key in that is not there.
  void insert(const mesh::Key<3>& key, std::uint32_t number) {
    std::size_t i = first_slot(key);
    while (slots_[i].key.level >= 0) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = {key, number};
  }
  std::optional<std::uint32_t> find(const mesh::Key<3>& key) const {
    for (std::size_t i = first_slot(key); slots_[i].key.level >= 0;
         i = (i + 1) & (slots_.size() - 1))
      if (slots_[i].key == key) return slots_[i].number;
    return std::nullopt;
  }

 private:
  struct Slot {
    mesh::Key<3> key{.level = -1};  ///< a level below 0: free
    std::uint32_t number = 0;
  };

  std::size_t first_slot(const mesh::Key<3>& key) const {
    return static_cast<std::size_t>(std::hash<mesh::Key<3>>{}(key) >> shift_);
  }

  int shift_;
  std::vector<Slot> slots_;
};

}  // namespace thalweg::miniamr
