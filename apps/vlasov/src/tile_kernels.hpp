// SPDX-License-Identifier: MIT
#pragma once
// The kernels of a tile for vectors of N numbers. Everything here is in an anonymous namespace: see
// lanes.hpp.
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

#include "kernels.hpp"
#include "lanes.hpp"

namespace thalweg::vlasov {
namespace {

constexpr std::size_t padded(int n) {
  return static_cast<std::size_t>((n + 7) / 8 * 8);
}

/// Eight partial sums of f and of v f along a row, whatever N is.
template <int N>
struct RowSums {
  Lanes<N> charge[8 / N], current[8 / N];

  /// @param j  a multiple of N  @pre lanes beyond the row are 0
  void add(int j, const Lanes<N>& v, const Lanes<N>& f) {
    const int part = j / N % (8 / N);
    charge[part] = charge[part] + f;
    current[part] = fused(v, f, current[part]);
  }
  static double total(const Lanes<N> (&parts)[8 / N]) {
    double s[8];
    for (int part = 0; part < 8 / N; ++part) parts[part].store(s + part * N);
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
  }
};

/// The lanes of a vector at j that lie in a row of n points.
template <int N>
unsigned lanes_within(int j, int n) {
  return n - j >= N ? Lanes<N>::all : (1u << (n - j)) - 1;
}

template <int N>
void store_within(const Lanes<N>& lanes, double* to, unsigned bits) {
  if (bits == Lanes<N>::all) return lanes.store(to);
  for (int i = 0; i < std::popcount(bits); ++i) to[i] = lanes[i];
}

/// Where interpolation is: a whole number of cells, which all `lanes` share, and the rest.
template <int N>
struct Cell {
  int cells;
  Lanes<N> rest;
  unsigned lanes;
};

/// That of one lane, and of all others in the same cell. The rest is in [0, 1]: 1 is what a tiny
/// negative shift is rounded to, and as good.
template <int N>
Cell<N> cell_of(const Lanes<N>& shift, int lane, unsigned among) {
  const auto cells = floor(shift);
  const double cell = cells[lane];
  // A lane that is no number lies in no cell; it is counted, so that no loop goes on for ever.
  const unsigned in_it = (equal_lanes(cells, Lanes<N>(cell)) & among) | 1u << lane;
  return {static_cast<int>(cell), shift - cell, in_it};
}

/// The sum of weights times points, from the first on, each `stride` behind the one before.
template <int N, std::size_t n>
Lanes<N> interpolated(const std::array<Lanes<N>, n>& weights, const double* first,
                      std::ptrdiff_t stride) {
  Lanes<N> sum = weights[0] * Lanes<N>::load(first);
  for (std::size_t p = 1; p < n; ++p)
    sum = fused(weights[p], Lanes<N>::load(first + static_cast<std::ptrdiff_t>(p) * stride), sum);
  return sum;
}

/// What the feet of a tile's points depend on beside the field: numbers that the compiler can keep
/// in registers, as nothing that is written can change them.
struct Feet {
  double half_dt, cells_x, cells_v;

  explicit Feet(const TileStep& t)
      : half_dt(0.5 * t.dt), cells_x(-t.dt / t.dx), cells_v(-0.5 * t.dt / t.dv) {}
};

/// The feet of a vector's points that lie in one cell along x.
template <int N, int degree>
struct FeetInCell {
  std::array<Lanes<N>, degree + 1> weights;  ///< along x
  Lanes<N> shift_v;                          ///< from the points to their feet along v [cells]
  int cells;                                 ///< along x
  unsigned lanes;                            ///< which points
};

/// Find the feet of those points of row i from j on that lie in the same cell along x, relative to
/// their points, as that of one lane: half a step in v, one in x, half a step in v.
/// @param found  a result that is returned would go through memory
template <int N, int degree>
[[gnu::always_inline]] inline void find_feet(const TileStep& t, const Feet& feet, int i, int j,
                                             int lane, unsigned among,
                                             FeetInCell<N, degree>& found) {
  using V = Lanes<N>;
  const double next = t.field_next[i];
  const auto cell = cell_of((V::load(t.v + j) - feet.half_dt * next) * feet.cells_x, lane, among);
  found.weights = lagrange_weights<degree>(cell.rest);
  const double* const field = t.field + t.halo_x + i + cell.cells - points_below(degree);
  V field_at_foot = found.weights[0] * field[0];
  for (std::size_t p = 1; p < found.weights.size(); ++p)
    field_at_foot = fused(found.weights[p], V(field[p]), field_at_foot);
  found.shift_v = (field_at_foot + next) * feet.cells_v;
  found.cells = cell.cells;
  found.lanes = cell.lanes;
}

/// Some points' values, and which points.
template <int N>
struct Some {
  Lanes<N> values;
  unsigned lanes;
};

/// f at those of some feet that also lie in the same cell along v as that of one lane.
template <int N, int degree>
[[gnu::always_inline]] inline Some<N> f_in_cell_of(const TileStep& t,
                                                   const FeetInCell<N, degree>& feet, int i, int j,
                                                   int lane) {
  constexpr int below = points_below(degree);
  const auto cell = cell_of(feet.shift_v, lane, feet.lanes);
  const auto weights = lagrange_weights<degree>(cell.rest);
  const double* row = t.from + (i + feet.cells - below) * t.stride + j + cell.cells - below;
  Lanes<N> sum = feet.weights[0] * interpolated(weights, row, 1);
  for (std::size_t p = 1; p < weights.size(); ++p) {
    row += t.stride;
    sum = fused(feet.weights[p], interpolated(weights, row, 1), sum);
  }
  return {sum, cell.lanes};
}

/// f at the feet of some points, wherever they lie, of which those in one cell are found: for each
/// other cell all lanes are computed, and those in it are kept.
template <int N, int degree>
[[gnu::noinline]] Lanes<N> f_in_all_cells(const TileStep& t, const Feet& feet, int i, int j,
                                          unsigned lanes, Some<N> found) {
  Lanes<N> result;
  while (true) {
    result = select(found.lanes, found.values, result);
    lanes &= ~found.lanes;
    if (lanes == 0) return result;
    const int lane = std::countr_zero(lanes);
    FeetInCell<N, degree> in_x;
    find_feet(t, feet, i, j, lane, lanes, in_x);
    found = f_in_cell_of(t, in_x, i, j, lane);
  }
}

/// Advance the tile, vector by vector: mostly all feet of one lie in the cell of the first.
///
/// To find feet is one long chain of operations. Those of the vector to come are found while f is
/// interpolated at the feet of this one, so that a processor has enough to do at a time.
template <int N, int degree>
void advance_tile(const TileStep& work) {
  const TileStep t = work;
  const Feet feet(t);
  for (int i = 0; i < t.nx; ++i) {
    RowSums<N> sums;
    FeetInCell<N, degree> to_come;
    find_feet(t, feet, i, 0, 0, lanes_within<N>(0, t.nv), to_come);
    for (int j = 0; j < t.nv; j += N) {
      const auto in_x = to_come;
      const int next = j + N < t.nv ? j + N : j;  // in the last turn, for nothing
      find_feet(t, feet, i, next, 0, lanes_within<N>(next, t.nv), to_come);
      const unsigned lanes = lanes_within<N>(j, t.nv);
      const auto found = f_in_cell_of(t, in_x, i, j, 0);
      const auto f = found.lanes == Lanes<N>::all
                         ? found.values
                         : f_in_all_cells<N, degree>(t, feet, i, j, lanes, found);
      store_within(f, t.to + i * t.stride + j, lanes);
      sums.add(j, Lanes<N>::load(t.v + j), f);
    }
    t.charge[i] = RowSums<N>::total(sums.charge);
    t.current[i] = RowSums<N>::total(sums.current);
  }
}

/// A step in v of row i, for so long, of n points and of what fills the last vector.
/// @param from  at point 0 of the row
template <int N, int degree>
void kick_row(const TileStep& t, double dt, int i, const double* from, int n, double* to) {
  const double shift = t.field[t.halo_x + i] * (-dt / t.dv);
  const double cells = std::floor(shift);
  const auto weights = lagrange_weights<degree>(shift - cells);
  std::array<Lanes<N>, degree + 1> same;
  for (std::size_t p = 0; p < same.size(); ++p) same[p] = Lanes<N>(weights[p]);
  from += static_cast<int>(cells) - points_below(degree);
  for (int j = 0; j < n; j += N) interpolated(same, from + j, 1).store(to + j);
}

template <int N, int degree>
void kick_tile(const TileStep& t) {
  for (int i = 0; i < t.nx; ++i)
    kick_row<N, degree>(t, 0.5 * t.dt_before, i, t.from + i * t.stride, t.nv,
                        t.scratch + static_cast<std::size_t>(i) * padded(t.nv));
}

/// A step in x of the points of some columns, those of one vector that come from the same cell.
/// @param from  of row 0, the first that interpolation reads; rows are `width` apart
/// @param sums  [8 nx] of each row, those of the vector
template <int N, int degree>
void drift_columns(const TileStep& t, const Cell<N>& cell, const double* from, std::ptrdiff_t width,
                   double* to, double* sums) {
  constexpr std::size_t n = degree + 1;
  const auto weights = lagrange_weights<degree>(cell.rest);
  std::array<Lanes<N>, n> rows;  // that the next point is made of
  for (std::size_t p = 0; p + 1 < n; ++p, from += width) rows[p] = Lanes<N>::load(from);
  for (int i = 0; i < t.nx; ++i, from += width, to += t.stride, sums += 8) {
    rows[n - 1] = Lanes<N>::load(from);
    Lanes<N> f = weights[0] * rows[0];
    for (std::size_t p = 1; p < n; ++p) f = fused(weights[p], rows[p], f);
    for (std::size_t p = 0; p + 1 < n; ++p) rows[p] = rows[p + 1];
    if (cell.lanes == Lanes<N>::all) {
      f.store(to);
      (Lanes<N>::load(sums) + f).store(sums);
      continue;
    }
    for (int l = 0; l < N; ++l)
      if ((cell.lanes >> l & 1) != 0) {
        to[l] = f[l];
        sums[l] += f[l];
      }
  }
}

template <int N, int degree>
void advance_tile_split(const TileStep& work) {
  const TileStep t = work;
  const auto width = static_cast<std::ptrdiff_t>(padded(t.nv));
  double* const kicked = t.scratch;  // rows -halo_x .. nx + halo_x
  for (int i = -t.halo_x; i < t.nx + t.halo_x; ++i) {
    // What is written below goes down columns, where a processor does not see what comes next.
    if (i >= 0 && i < t.nx)
      for (int j = 0; j < t.nv; j += 8) __builtin_prefetch(t.to + i * t.stride + j, 1);
    kick_row<N, degree>(t, 0.5 * (t.dt_before + t.dt), i, t.from + i * t.stride, t.nv,
                        kicked + (i + t.halo_x) * width);
  }

  double* const sums = kicked + (t.nx + 2 * t.halo_x) * width;  // eight a row
  for (int k = 0; k < 8 * t.nx; ++k) sums[k] = 0;
  for (int j = 0; j < t.nv; j += N) {
    const auto shift = Lanes<N>::load(t.v + j) * (-t.dt / t.dx);
    for (unsigned lanes = lanes_within<N>(j, t.nv); lanes != 0;) {
      const auto cell = cell_of(shift, std::countr_zero(lanes), lanes);
      const double* from = kicked + (t.halo_x + cell.cells - points_below(degree)) * width + j;
      drift_columns<N, degree>(t, cell, from, width, t.to + j, sums + j % 8);
      lanes &= ~cell.lanes;
    }
  }
  for (int i = 0; i < t.nx; ++i) {
    const double* const s = sums + 8 * i;
    t.charge[i] = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
    t.current[i] = 0;
  }
}

template <int N>
void sum_tile(const TileStep& t) {
  for (int i = 0; i < t.nx; ++i) {
    RowSums<N> sums;
    for (int j = 0; j < t.nv; j += N)
      sums.add(j, Lanes<N>::load(t.v + j),
               select(lanes_within<N>(j, t.nv), Lanes<N>::load(t.from + i * t.stride + j), {}));
    t.charge[i] = RowSums<N>::total(sums.charge);
    t.current[i] = RowSums<N>::total(sums.current);
  }
}

template <int N, int degree>
Kernels kernels_of_degree(const char* name) {
  return {.name = name,
          .advance = advance_tile<N, degree>,
          .advance_split = advance_tile_split<N, degree>,
          .kick = kick_tile<N, degree>,
          .sum = sum_tile<N>};
}

/// Those of degree 3, 5 and 7.
template <int N>
std::array<Kernels, 3> all_kernels(const char* name) {
  return {kernels_of_degree<N, 3>(name), kernels_of_degree<N, 5>(name),
          kernels_of_degree<N, 7>(name)};
}

}  // namespace
}  // namespace thalweg::vlasov
