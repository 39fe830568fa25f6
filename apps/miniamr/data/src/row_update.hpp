// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <type_traits>

#include "lanes.hpp"

namespace thalweg::miniamr::data {

/// Some rows of a layer, and what is around them. One offset finds a row in all of them.
struct Rows {
  double* cells;        ///< changed in place
  double* saved;        ///< gets rows as they were
  const double* below;  ///< as they were; may lie where rows are saved
  const double* above;
};

/// Where what is beside a row lies, as it was.
struct Beside {
  const double* left;    ///< one cell
  const double* right;   ///< one cell
  const double* behind;  ///< a row
};

/// Where the means of a row go.
struct MeansOfRow {
  double* cells;
  double* x_first;  ///< gets one cell
  double* x_last;
};

/// Sum up a part of a row, in the order x-, y-, z-, itself, z+, y+, x+. Rows before and behind it
/// stay in registers.
/// @param at      where the row begins among rows
/// @param before  this part of it gets the row behind
template <int Width, class Part>
inline auto sum_of_part(Part p, const Rows& rows, std::ptrdiff_t at, const Beside& beside,
                        RowPart<Width>& before, const RowPart<Width>& now) {
  using Row = RowPart<Width>;
  using Numbers = typename Row::template Part<p>;
  const double* const row = rows.cells + at;
  const auto load = [&](const double* from) -> Numbers {
    return load_lanes<Numbers>(from + Row::at(p));
  };
  Numbers x_low;
  Numbers x_high;
  if constexpr (p == 0)
    x_low = shifted_up(now[p], *beside.left);
  else
    x_low = load(row - 1);
  if constexpr (p == Row::n - 1)
    x_high = shifted_down(now[p], *beside.right);
  else
    x_high = load(row + 1);
  const Numbers so_far = x_low + before[p];
  before[p] = load(beside.behind);
  return so_far + load(rows.below + at) + now[p] + load(rows.above + at) + before[p] + x_high;
}

/// Replace a part of a row by its means.
template <int Width, class Part>
inline auto divide_part(Part p, const RowPart<Width>& sums, const MeansOfRow& to) {
  using Row = RowPart<Width>;
  const auto mean = divided_by_7(sums[p]);
  store_lanes(mean, to.cells + Row::at(p));
  if constexpr (p == 0) *to.x_first = mean[0];
  if constexpr (p == Row::n - 1) *to.x_last = mean[sizeof(mean) / sizeof(double) - 1];
  return mean;
}

/// Sum up a row, and save it as it was.
template <int Width>
inline RowPart<Width> sum_row(const Rows& rows, std::ptrdiff_t at, const Beside& beside,
                              RowPart<Width>& before, const RowPart<Width>& now) {
  RowPart<Width> sums;
  sums.for_each([&](auto p) { sums[p] = sum_of_part(p, rows, at, beside, before, now); });
  now.store(rows.saved + at);
  return sums;
}

/// Replace a row by its means.
template <int Width>
inline RowPart<Width> divide_row(const RowPart<Width>& sums, const MeansOfRow& to) {
  RowPart<Width> means;
  means.for_each([&](auto p) { means[p] = divide_part(p, sums, to); });
  return means;
}

/// Both, part by part. A part is divided when the one after it has been summed up, from cells as
/// they were.
template <int Width>
inline void update_row(const Rows& rows, std::ptrdiff_t at, const Beside& beside,
                       RowPart<Width>& before, const RowPart<Width>& now, const MeansOfRow& to) {
  using Row = RowPart<Width>;
  Row sums;
  Row::for_each([&](auto p) {
    sums[p] = sum_of_part(p, rows, at, beside, before, now);
    if constexpr (p > 0) divide_part(std::integral_constant<int, p - 1>(), sums, to);
  });
  divide_part(std::integral_constant<int, Row::n - 1>(), sums, to);
  now.store(rows.saved + at);
}

}  // namespace thalweg::miniamr::data
