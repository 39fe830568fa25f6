// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstddef>
#include <vector>

#include <thalweg/core/strong_id.hpp>

namespace thalweg::vlasov {

/// Where a stretch of parts is cut in two: the first half has a power of two. Sums along an axis
/// are made in the tree that comes of it, so their order depends on the number of parts alone.
/// @pre last - first > 1
inline int middle_of(int first, int last) {
  return first + static_cast<int>(std::bit_floor(static_cast<unsigned>(last - first - 1)));
}

/// A sum over the parts [first, last), where different ranks have them; or over all that one rank
/// has in that place of the tree, a leaf.
struct SumNode {
  int first = 0, last = 0;
  Rank owner{};  ///< of the first part; makes the sum
  /// The sums it is made of, by their numbers; none in a leaf.
  std::size_t below = 0, above = 0;

  bool is_leaf() const { return below == above; }
};

/// The tree of middle_of() down to where one rank has all parts. Halves come before their sum, so
/// the last is that of all.
/// @param owner_of  owner_of(part)
template <class OwnerOf>
std::vector<SumNode> sum_tree(int n_parts, const OwnerOf& owner_of) {
  std::vector<SumNode> nodes;
  const auto add = [&](const auto& self, int first, int last) -> std::size_t {
    SumNode node{.first = first, .last = last, .owner = owner_of(first)};
    bool is_mixed = false;
    for (int part = first; part < last; ++part) is_mixed = is_mixed || owner_of(part) != node.owner;
    if (is_mixed) {
      const int middle = middle_of(first, last);
      node.below = self(self, first, middle);
      node.above = self(self, middle, last);
    }
    nodes.push_back(node);
    return nodes.size() - 1;
  };
  add(add, 0, n_parts);
  return nodes;
}

}  // namespace thalweg::vlasov
