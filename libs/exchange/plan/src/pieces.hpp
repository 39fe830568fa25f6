// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include <thalweg/core/box.hpp>
#include <thalweg/core/centring.hpp>
#include <thalweg/core/vec.hpp>

namespace thalweg::exchange::detail {

/// A part of a block's points, ghosts included, that all lie on or between the same blocks.
///
/// On an axis it is between the block at `upper` and the one below that, or inside the former.
template <int D>
struct Piece {
  Box<D> points;
  Index<D> upper;  ///< offset from the block of the last block that has the points
  BasicVec<bool, D> is_between;

  /// Call f(offset) for the blocks that have the points, in the order in which they own them, until
  /// it says true: upper ones first, x first.
  template <class F>
  std::optional<Index<D>> first_block(F&& f) const {
    for (int step = 0; step < (1 << D); ++step) {
      Index<D> offset = upper;
      bool is_one = true;
      for (int a = 0; a < D; ++a)
        if ((step >> a & 1) != 0) {
          is_one = is_one && is_between[a];
          --offset[a];
        }
      if (is_one && f(offset)) return offset;
    }
    return std::nullopt;
  }
  bool touches(const Index<D>& block) const {
    return first_block([&](const Index<D>& offset) { return offset == block; }).has_value();
  }
};

/// Cut the points of a block and its ghosts into pieces, and call f(piece) for each.
/// @param n_ghosts  0 to one less than the cells of a block: further points may be on blocks beyond
///                 the neighbours
template <int D, class F>
void for_each_piece(const Box<D>& cells, const Centring<D>& centring, int n_ghosts, F&& f) {
  struct Interval {
    int lo, hi, upper;
    bool is_between;
  };
  std::array<std::array<Interval, 5>, D> cuts;
  Box<D> numbers{};
  for (int a = 0; a < D; ++a) {
    auto& of_axis = cuts[static_cast<std::size_t>(a)];
    const auto add = [&](const Interval& interval) {
      if (interval.lo < interval.hi) of_axis[static_cast<std::size_t>(numbers.hi[a]++)] = interval;
    };
    const int lo = cells.lo[a];
    const int hi = cells.hi[a];
    const int ends = centring.between[a] ? 1 : 0;
    add({lo - n_ghosts, lo, -1, false});
    add({lo, lo + ends, 0, true});
    add({lo + ends, hi, 0, false});
    add({hi, hi + ends, 1, true});
    add({hi + ends, hi + ends + n_ghosts, 1, false});
  }
  for_each(numbers, [&](const Index<D>& number) {
    Piece<D> piece;
    for (int a = 0; a < D; ++a) {
      const Interval& cut = cuts[static_cast<std::size_t>(a)][static_cast<std::size_t>(number[a])];
      piece.points.lo[a] = cut.lo;
      piece.points.hi[a] = cut.hi;
      piece.upper[a] = cut.upper;
      piece.is_between[a] = cut.is_between;
    }
    f(piece);
  });
}

/// Join disjoint boxes that make up larger ones, first along x, in a fixed order.
template <int D>
void join(std::vector<Box<D>>& boxes) {
  for (int a = 0; a < D; ++a) {
    std::sort(boxes.begin(), boxes.end(), [a](Box<D> p, Box<D> q) {
      std::swap(p.lo[0], p.lo[a]);  // along the axis is what differs last
      std::swap(q.lo[0], q.lo[a]);
      return std::lexicographical_compare(p.lo.at.rbegin(), p.lo.at.rend(), q.lo.at.rbegin(),
                                          q.lo.at.rend());
    });
    const auto grows = [a](Box<D>& box, const Box<D>& next) {
      Box<D> joined = box;
      joined.hi[a] = next.hi[a];
      Box<D> rest = joined;
      rest.lo[a] = box.hi[a];
      if (rest != next) return false;
      box = joined;
      return true;
    };
    std::size_t n = 0;
    for (const Box<D>& box : boxes)
      if (n == 0 || !grows(boxes[n - 1], box)) boxes[n++] = box;
    boxes.resize(n);
  }
}

}  // namespace thalweg::exchange::detail
