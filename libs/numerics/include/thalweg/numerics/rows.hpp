// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <type_traits>
#include <utility>

#include <thalweg/core/box.hpp>

namespace thalweg::numerics {

/// Call f(i) for i in [0, n), vectorised: the calls must not depend on one another.
///
/// All row loops of the module are made of the three functions in this file. flatten inlines the
/// whole call tree of f, without which readable point functions run an order slower. f comes by
/// reference and is copied here: by value its captures would pass through the stack in pieces of
/// another size than they are read in, which stalls each call for longer than a short row takes.
template <class F>
[[gnu::flatten]] void for_each_in_row(int n, const F& function) {
  const F f = function;
#pragma omp simd
  for (int i = 0; i < n; ++i) f(i);
}

/// Say whether f(i) holds for any i in [0, n); every f(i) is evaluated, vectorised.
template <class F>
[[gnu::flatten]] bool any_in_row(int n, const F& function) {
  const F f = function;
  // Counted in double: GCC 12 vectorises a reduction whose width differs from its data badly.
  double n_hits = 0;
#pragma omp simd reduction(+ : n_hits)
  for (int i = 0; i < n; ++i) n_hits += f(i) ? 1.0 : 0.0;
  return n_hits > 0;
}

/// The largest of start and all f(i), i in [0, n), vectorised; exact, NaNs are passed over.
template <class F>
[[gnu::flatten]] double max_in_row(int n, double start, const F& function) {
  const F f = function;
  double largest = start;
#pragma omp simd reduction(max : largest)
  for (int i = 0; i < n; ++i) {
    const double x = f(i);
    largest = x > largest ? x : largest;
  }
  return largest;
}

/// Call f(axis) for axis = 0 ... D-1 with the axis as a compile-time constant.
template <int D, class F>
constexpr void for_each_axis(F&& f) {
  [&]<int... A>(std::integer_sequence<int, A...>) {
    (f(std::integral_constant<int, A>{}), ...);
  }(std::make_integer_sequence<int, D>{});
}

/// Call f(axis) with an axis known while the program runs as a compile-time constant.
template <int D, class F>
constexpr auto with_axis(int axis, F&& f) {
  if constexpr (D > 2)
    if (axis == 2) return f(std::integral_constant<int, 2>{});
  if constexpr (D > 1)
    if (axis == 1) return f(std::integral_constant<int, 1>{});
  return f(std::integral_constant<int, 0>{});
}

/// Call f(row start) for the rows along x of a box, moving along `axis` fastest; axis >= 1.
template <int D, class F>
constexpr void for_each_row_along(int axis, const Box<D>& box, F&& f) {
  Box<D> outer = box;
  outer.hi[0] = box.lo[0] + 1;
  outer.hi[axis] = box.lo[axis] + 1;
  if (box.is_empty()) return;
  for_each(outer, [&](Index<D> row) {
    for (; row[axis] < box.hi[axis]; ++row[axis]) f(row);
  });
}

}  // namespace thalweg::numerics
