// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>

#include <thalweg/core/vec.hpp>

namespace thalweg {

/// A box of cells: all indices i with lo <= i < hi. Empty if any hi <= lo.
template <int D>
struct Box {
  Index<D> lo{};
  Index<D> hi{};

  constexpr bool operator==(const Box&) const = default;

  /// The cube [0, n)^D.
  static constexpr Box cube(int n) { return {{}, Index<D>::filled(n)}; }

  constexpr int extent(int axis) const { return std::max(0, hi[axis] - lo[axis]); }
  constexpr bool is_empty() const {
    for (int a = 0; a < D; ++a)
      if (hi[a] <= lo[a]) return true;
    return false;
  }
  constexpr std::int64_t n_cells() const {
    std::int64_t n = 1;
    for (int a = 0; a < D; ++a) n *= extent(a);
    return n;
  }
  constexpr bool contains(const Index<D>& i) const {
    for (int a = 0; a < D; ++a)
      if (i[a] < lo[a] || i[a] >= hi[a]) return false;
    return true;
  }
  constexpr bool contains(const Box& b) const {
    if (b.is_empty()) return true;
    for (int a = 0; a < D; ++a)
      if (b.lo[a] < lo[a] || b.hi[a] > hi[a]) return false;
    return true;
  }

  constexpr Box grown(int n) const { return {lo - Index<D>::filled(n), hi + Index<D>::filled(n)}; }
  constexpr Box grown(int axis, int n) const {
    Box b = *this;
    b.lo[axis] -= n;
    b.hi[axis] += n;
    return b;
  }
  constexpr Box shifted(const Index<D>& by) const { return {lo + by, hi + by}; }
  /// The cells of the grid r times finer that this box covers.
  constexpr Box refined(int r) const { return {lo * r, hi * r}; }
  /// The cells of the grid r times coarser that touch this box.
  constexpr Box coarsened(int r) const { return coarsened(Index<D>::filled(r)); }
  /// The same where the grid is coarser by another factor on each axis.
  constexpr Box coarsened(const Index<D>& r) const {
    return {floor_div(lo, r), floor_div(hi + r - Index<D>::filled(1), r)};
  }
};

/// The cells common to both; empty boxes may come out with hi < lo.
template <int D>
constexpr Box<D> intersect(Box<D> a, const Box<D>& b) {
  for (int d = 0; d < D; ++d) {
    a.lo[d] = std::max(a.lo[d], b.lo[d]);
    a.hi[d] = std::min(a.hi[d], b.hi[d]);
  }
  return a;
}

/// The smallest box that holds both; an empty box adds nothing.
template <int D>
constexpr Box<D> bounding(Box<D> a, const Box<D>& b) {
  if (a.is_empty()) return b;
  if (b.is_empty()) return a;
  for (int d = 0; d < D; ++d) {
    a.lo[d] = std::min(a.lo[d], b.lo[d]);
    a.hi[d] = std::max(a.hi[d], b.hi[d]);
  }
  return a;
}

/// Call f(Index) for every cell, x fastest. For set-up and tests; kernels loop over rows.
template <int D, class F>
constexpr void for_each(const Box<D>& box, F&& f) {
  if (box.is_empty()) return;
  Index<D> i = box.lo;
  while (true) {
    f(i);
    int a = 0;
    while (a < D && ++i[a] == box.hi[a]) {
      i[a] = box.lo[a];
      ++a;
    }
    if (a == D) return;
  }
}

/// Call f(first cell, number of cells) for every row of cells along x.
template <int D, class F>
constexpr void for_each_row(const Box<D>& box, F&& f) {
  if (box.is_empty()) return;
  Box<D> starts = box;
  starts.hi[0] = box.lo[0] + 1;
  for_each(starts, [&](const Index<D>& i) { f(i, box.extent(0)); });
}

}  // namespace thalweg
