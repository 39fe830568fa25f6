// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/solver/grid.hpp>

#include <algorithm>

#include <thalweg/core/contract.hpp>

namespace thalweg::hpccg {
namespace {

/// Rows of a box within another, in runs.
std::vector<Rows> runs(Index<3> lower, Index<3> size, Index<3> n) {
  std::vector<Rows> result;
  for (int z = lower[2]; z < lower[2] + size[2]; ++z)
    for (int y = lower[1]; y < lower[1] + size[1]; ++y) {
      const std::int64_t begin = (std::int64_t{z} * n[1] + y) * n[0] + lower[0];
      if (!result.empty() && result.back().end == begin)
        result.back().end += size[0];
      else
        result.push_back({begin, begin + size[0]});
    }
  return result;
}

}  // namespace

Grid::Grid(Index<3> n, Index<3> ranks, Rank rank) : n_(n), ranks_(ranks), n_columns_(rows_of(n)) {
  THALWEG_EXPECT(std::ranges::min(n.at) > 0 && std::ranges::min(ranks.at) > 0, "an empty grid");
  THALWEG_EXPECT(rank() < rows_of(ranks), "a rank beyond the grid of ranks");
  const int r = static_cast<int>(rank());
  at_ = {{r % ranks[0], r / ranks[0] % ranks[1], r / ranks[0] / ranks[1]}};
  for_each_direction([&](Index<3> d) {
    if (d == Index<3>{} || !has_neighbour(d)) return;
    Index<3> lower, size;
    for (int a = 0; a < 3; ++a) {
      lower[a] = d[a] > 0 ? n[a] - 1 : 0;
      size[a] = d[a] == 0 ? n[a] : 1;
    }
    const Index<3> peer = at_ + d;
    first_ghost_[place(d)] = n_columns_;
    halo_.push_back({.peer = Rank((peer[2] * ranks[1] + peer[1]) * ranks[0] + peer[0]),
                     .sent = runs(lower, size, n),
                     .received = {n_columns_, n_columns_ + rows_of(size)}});
    directions_.push_back(d);
    n_columns_ += rows_of(size);
  });
}

std::size_t Grid::place(Index<3> d) {
  return static_cast<std::size_t>((d[2] + 1) * 9 + (d[1] + 1) * 3 + d[0] + 1);
}

bool Grid::has_neighbour(Index<3> d) const {
  for (int a = 0; a < 3; ++a)
    if (at_[a] + d[a] < 0 || at_[a] + d[a] >= ranks_[a]) return false;
  return true;
}

std::optional<std::int64_t> Grid::column(Index<3> point) const {
  Index<3> d, inside, size = n_;
  for (int a = 0; a < 3; ++a) {
    d[a] = point[a] < 0 ? -1 : point[a] >= n_[a] ? 1 : 0;
    inside[a] = d[a] == 0 ? point[a] : 0;
    if (d[a] != 0) size[a] = 1;
  }
  if (!has_neighbour(d)) return std::nullopt;
  return first_ghost_[place(d)] + (std::int64_t{inside[2]} * size[1] + inside[1]) * size[0] +
         inside[0];
}

int Grid::n_coupled(std::int64_t row) const {
  const Index<3> point{{static_cast<int>(row % n_[0]), static_cast<int>(row / n_[0] % n_[1]),
                        static_cast<int>(row / n_[0] / n_[1])}};
  int n = 1;
  for (int a = 0; a < 3; ++a) {
    const int below = at_[a] > 0 || point[a] > 0 ? 1 : 0;
    const int above = at_[a] + 1 < ranks_[a] || point[a] + 1 < n_[a] ? 1 : 0;
    n *= 1 + below + above;
  }
  return n;
}

std::vector<Rows> Grid::columns_of(Rows rows) const {
  if (rows.size() == 0) return {};
  const std::int64_t first = rows.begin / n_[0];
  const std::int64_t last = (rows.end - 1) / n_[0];
  const bool is_one_plane = first / n_[1] == last / n_[1];
  std::vector<Rows> columns;
  const auto add_lines = [&](std::int64_t from, std::int64_t to) {
    from = std::max<std::int64_t>(from, 0);
    to = std::min(to, n_lines() - 1);
    if (from <= to) columns.push_back({from * n_[0], (to + 1) * n_[0]});
  };
  if (is_one_plane)
    for (const int z : {-1, 0, 1})
      add_lines(first - 1 + std::int64_t{z} * n_[1], last + 1 + std::int64_t{z} * n_[1]);
  else
    add_lines(first - n_[1] - 1, last + n_[1] + 1);
  const std::int64_t y_first = is_one_plane ? first % n_[1] : 0;
  const std::int64_t y_last = is_one_plane ? last % n_[1] : n_[1] - 1;
  const auto reaches = [](int d, std::int64_t from, std::int64_t to, int n) {
    return d == 0 || (d < 0 ? from == 0 : to == n - 1);
  };
  for (std::size_t m = 0; m < halo_.size(); ++m)
    if (reaches(directions_[m][1], y_first, y_last, n_[1]) &&
        reaches(directions_[m][2], first / n_[1], last / n_[1], n_[2]))
      columns.push_back(halo_[m].received);
  return columns;
}

void set_right_hand_side(const Grid& grid, std::span<double> b) {
  for (std::int64_t row = 0; row < grid.n_rows(); ++row)
    b[static_cast<std::size_t>(row)] = 27.0 - (grid.n_coupled(row) - 1);
}

}  // namespace thalweg::hpccg
