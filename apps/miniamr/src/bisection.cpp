// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/bisection.hpp>

#include <algorithm>
#include <array>
#include <tuple>

namespace thalweg::miniamr {
namespace {

std::vector<int> prime_factors(int n) {
  std::vector<int> factors;
  for (int f = 2; n > 1; ++f)
    for (; n % f == 0; n /= f) factors.push_back(f);
  return factors;
}

int axis_to_cut(const Index<3>& left, int factor, bool is_reordered) {
  constexpr std::array<int, 3> z_first{2, 1, 0};
  constexpr std::array<int, 3> x_first{0, 1, 2};
  int best = -1;
  for (const int a : is_reordered ? x_first : z_first)
    if (left[a] % factor == 0 && (best < 0 || (is_reordered && left[a] > left[best]))) best = a;
  return best;
}

}  // namespace

std::vector<Cut> cuts_of(const Index<3>& ranks, bool is_reordered) {
  // The grid's size is the product of its sides, so each factor divides one of them.
  std::vector<int> factors;
  for (int a = 0; a < 3; ++a)
    for (const int f : prime_factors(ranks[a])) factors.push_back(f);
  std::ranges::sort(factors, std::greater<>());
  std::vector<Cut> cuts;
  Index<3> left = ranks;
  for (const int factor : factors) {
    const int axis = axis_to_cut(left, factor, is_reordered);
    left[axis] /= factor;
    cuts.push_back({factor, axis});
  }
  return cuts;
}

Rank rank_at(std::span<const Cut> cuts, Index<3> ranks, Index<3> place) {
  int size = product(ranks);
  int rank = 0;
  for (const Cut& cut : cuts) {
    size /= cut.n_parts;
    int& side = ranks[cut.axis];
    side /= cut.n_parts;
    rank += place[cut.axis] / side * size;
    place[cut.axis] %= side;
  }
  return Rank(rank);
}

Range range_of(std::span<const BlockCentroid> centroids, const Index<3>& width) {
  Range range{.lower = width, .upper = {}};
  for (const BlockCentroid& centroid : centroids)
    for (int a = 0; a < 3; ++a) {
      range.lower[a] = std::min(range.lower[a], centroid.centre[a]);
      range.upper[a] = std::max(range.upper[a], centroid.centre[a]);
    }
  return range;
}

int longest_axis(std::span<const Range> ranges) {
  Range all = ranges.front();
  for (const Range& range : ranges)
    for (int a = 0; a < 3; ++a) {
      all.lower[a] = std::min(all.lower[a], range.lower[a]);
      all.upper[a] = std::max(all.upper[a], range.upper[a]);
    }
  int longest = 0;
  for (int a = 1; a < 3; ++a)
    if (all.upper[a] - all.lower[a] > all.upper[longest] - all.lower[longest]) longest = a;
  return longest;
}

mesh::Messages<BlockCentroid> send_by_coordinate(const Group& group, int axis, int width) {
  mesh::Messages<BlockCentroid> out;
  out.reserve(group.centroids.size());
  for (const BlockCentroid& centroid : group.centroids)
    out.emplace_back(Rank(group.first + static_cast<int>(std::int64_t{centroid.centre[axis]} *
                                                         group.size / width)),
                     centroid);
  return out;
}

void sort_centroids(std::vector<BlockCentroid>& centroids, int axis, TieRule ties) {
  const int second = (axis + 1) % 3;
  const int third = (axis + 2) % 3;
  std::ranges::sort(centroids, [&](const BlockCentroid& a, const BlockCentroid& b) {
    const auto order = [&](const BlockCentroid& d) {
      const Rank before = ties == TieRule::break_ties ? d.directory_rank : Rank();
      return std::tuple(d.centre[axis], before, d.centre[second], d.centre[third]);
    };
    return order(a) < order(b);
  });
}

mesh::Messages<BlockCentroid> send_to_parts(const Group& group, const Cut& cut, TieRule ties,
                                            std::span<const std::int64_t> counts, Rank rank) {
  std::int64_t first = 0;
  std::int64_t n_all = 0;
  for (std::size_t q = 0; q < counts.size(); ++q) {
    if (q == rank() - static_cast<unsigned>(group.first)) first = n_all;
    n_all += counts[q];
  }
  const std::int64_t in_part = std::max<std::int64_t>(1, (n_all + cut.n_parts - 1) / cut.n_parts);
  const auto part_of = [&](std::int64_t i) {
    return std::min<std::int64_t>(i / in_part, cut.n_parts - 1);
  };
  const auto& centroids = group.centroids;
  const int sub_size = group.size / cut.n_parts;
  mesh::Messages<BlockCentroid> out;
  out.reserve(centroids.size());
  for (std::size_t begin = 0, end = 0; begin < centroids.size(); begin = end) {
    // Blocks with the same coordinate are all here.
    while (end < centroids.size() &&
           centroids[end].centre[cut.axis] == centroids[begin].centre[cut.axis])
      ++end;
    const std::int64_t from = first + static_cast<std::int64_t>(begin);
    const std::int64_t to = first + static_cast<std::int64_t>(end);
    // Where a cut goes through them, the larger share says to which side all go.
    const std::int64_t boundary = (part_of(from) + 1) * in_part;
    const std::int64_t together =
        to > boundary && to - boundary > (to - from) / 2 ? part_of(boundary) : part_of(from);
    for (std::size_t i = begin; i < end; ++i) {
      const std::int64_t index = first + static_cast<std::int64_t>(i);
      const std::int64_t part = ties == TieRule::group_blocks ? together : part_of(index);
      out.emplace_back(Rank(static_cast<int>(group.first + part * sub_size + index % sub_size)),
                       centroids[i]);
    }
  }
  return out;
}

}  // namespace thalweg::miniamr
