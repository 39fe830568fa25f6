// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/hpccg/solver/operator.hpp>

namespace thalweg::hpccg {

/// One rank's box of points of a grid, x fastest, and the layer of points around it.
///
/// Each point is a row, coupled with the up to 26 around it. Ranks have equal boxes and lie on a
/// grid of their own, x fastest; 1 x 1 x R is HPCCG's chimney. A line is the n[0] rows of one y and
/// z. Ghosts are sorted by direction, z slowest, and then as the owner has them.
class Grid {
 public:
  /// @param n  points of a rank on each axis, > 0  @param ranks  product: the number of ranks
  Grid(Index<3> n, Index<3> ranks, Rank rank);

  Index<3> n() const { return n_; }
  /// Where the rank is on the grid of ranks.
  Index<3> position() const { return at_; }
  std::int64_t n_rows() const { return rows_of(n_); }
  std::int64_t n_columns() const { return n_columns_; }
  std::int64_t n_lines() const { return std::int64_t{n_[1]} * n_[2]; }
  /// The column of a point, from -1 to n on each axis; none outside of the grid of all ranks.
  std::optional<std::int64_t> column(Index<3> point) const;
  /// How many of the points around it, itself included, a row has. @pre row < n_rows()
  int n_coupled(std::int64_t row) const;
  const std::vector<HaloMessage>& halo() const { return halo_; }
  /// The columns that rows are coupled with, and some more.
  std::vector<Rows> columns_of(Rows rows) const;

 private:
  static std::int64_t rows_of(Index<3> n) { return std::int64_t{n[0]} * n[1] * n[2]; }
  /// A direction's place among 27, z slowest.
  static std::size_t place(Index<3> direction);
  /// Whether there is a rank there.
  bool has_neighbour(Index<3> direction) const;

  Index<3> n_;
  Index<3> ranks_;
  Index<3> at_;
  std::int64_t n_columns_;
  std::array<std::int64_t, 27> first_ghost_{};  ///< of a direction
  std::vector<HaloMessage> halo_;
  std::vector<Index<3>> directions_;  ///< of the messages
};

/// Call f with the steps from a point to the 27 around it, itself included, in the order of points.
template <std::invocable<Index<3>> F>
void for_each_direction(F f) {
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) f(Index<3>{{x, y, z}});
}

/// HPCCG's right-hand side, 27 minus the number of neighbours: the solution is 1 everywhere.
/// @param b  a number for each row
void set_right_hand_side(const Grid& grid, std::span<double> b);

}  // namespace thalweg::hpccg
