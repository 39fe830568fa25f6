// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <thalweg/flow/detail/item.hpp>
#include <thalweg/flow/detail/mailbox.hpp>

namespace thalweg::flow::detail {

/// Ready items of one worker, who alone sees them; never full once it knows how many there can be.
///
/// They lie between two pointers, without the masks of a ring: pushing is one store.
class ReadyStack {
 public:
  /// Empty it, with room for so many items.
  void reset(std::size_t n_items) {
    if (items_.size() < 2 * n_items) items_.resize(2 * n_items);
    n_most_ = static_cast<std::ptrdiff_t>(n_items);
    begin_ = end_ = items_.data();
  }
  bool is_empty() const { return begin_ == end_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(end_ - begin_); }
  void push(Item item) { *end_++ = item; }
  /// Take the item pushed last. @pre not empty
  Item pop_last() { return *--end_; }
  /// Take the item pushed first. @pre not empty
  Item pop_first() {
    const Item item = *begin_++;
    // Back to the front before those to come could reach the end: seldom, and of few items.
    if (begin_ - items_.data() >= n_most_) {
      end_ = std::copy(begin_, end_, items_.data());
      begin_ = items_.data();
    }
    return item;
  }

 private:
  std::vector<Item> items_;
  std::ptrdiff_t n_most_ = 0;
  Item* begin_ = nullptr;
  Item* end_ = nullptr;
};

/// Ready items of one worker by class of priority: of each class, the one pushed last comes first.
class ReadyByPriority {
 public:
  /// Empty it, with so many classes; 0 is the lowest.
  void reset(std::uint32_t n_levels) {
    heads_.assign(n_levels, no_item);
    words_.assign((n_levels + 63) / 64, 0);
    size_ = 0;
  }
  std::uint32_t size() const { return size_; }
  void push(std::uint32_t level, Item item, Links links) {
    links[item] = heads_[level];
    heads_[level] = item;
    words_[level / 64] |= bit(level);
    ++size_;
  }
  /// Take an item of the highest class, if that is not below `least`; else no_item.
  Item pop_highest(std::uint32_t least, Links links) {
    for (auto w = static_cast<std::uint32_t>(words_.size()); w-- > 0;)
      if (words_[w] != 0) {
        const auto level = 64 * w + static_cast<std::uint32_t>(std::bit_width(words_[w])) - 1;
        return level < least ? no_item : pop(level, links);
      }
    return no_item;
  }
  /// Take an item of the lowest class, if that is below `bound`; else no_item.
  Item pop_lowest(std::uint32_t bound, Links links) {
    for (std::uint32_t w = 0; w < words_.size(); ++w)
      if (words_[w] != 0) {
        const auto level = 64 * w + static_cast<std::uint32_t>(std::countr_zero(words_[w]));
        return level >= bound ? no_item : pop(level, links);
      }
    return no_item;
  }

 private:
  static std::uint64_t bit(std::uint32_t level) { return std::uint64_t{1} << level % 64; }
  Item pop(std::uint32_t level, Links links) {
    const Item item = heads_[level];
    heads_[level] = links[item];
    if (heads_[level] == no_item) words_[level / 64] &= ~bit(level);
    --size_;
    return item;
  }

  std::vector<Item> heads_;
  std::vector<std::uint64_t> words_;  ///< a bit a class: whether it has any
  std::uint32_t size_ = 0;
};

}  // namespace thalweg::flow::detail
