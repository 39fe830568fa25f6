// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace thalweg::flow::detail {

/// A node in one of the replays in flight: the replay's slot in the high bits, the node in the low.
using Item = std::uint32_t;

/// In queues of items: nothing there. (An optional would double the size of an atomic word.)
inline constexpr Item no_item = std::numeric_limits<Item>::max();

/// How items are put together: with shifts, because every dependency released computes one.
class ItemCode {
 public:
  ItemCode() = default;
  ItemCode(std::size_t n_nodes, std::uint32_t n_slots)
      : shift_(static_cast<std::uint32_t>(std::bit_width(n_nodes))), n_slots_(n_slots) {}

  Item item(std::uint32_t slot, std::uint32_t node) const { return slot << shift_ | node; }
  std::uint32_t slot(Item item) const { return item >> shift_; }
  std::uint32_t node(Item item) const { return item & ((1u << shift_) - 1); }
  /// The item of node 0 in the same slot.
  Item first(Item item) const { return item >> shift_ << shift_; }
  std::uint32_t n_slots() const { return n_slots_; }
  std::uint32_t slot_of_replay(std::uint64_t replay) const {
    return static_cast<std::uint32_t>(replay % n_slots_);
  }
  std::uint32_t slot_after(std::uint32_t slot) const { return slot + 1 == n_slots_ ? 0 : slot + 1; }
  /// One more than the largest item.
  std::size_t size() const { return std::size_t{n_slots_} << shift_; }

 private:
  std::uint32_t shift_ = 0;
  std::uint32_t n_slots_ = 1;
};

}  // namespace thalweg::flow::detail
