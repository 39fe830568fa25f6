// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <type_traits>
#include <utility>

#include <thalweg/core/box.hpp>
#include <thalweg/core/vectors_of_eight.hpp>

namespace thalweg::numerics {

namespace detail {

template <class F>
[[gnu::flatten]] void visit_row(int n, const F& function) {
  const F f = function;
#pragma omp simd
  for (int i = 0; i < n; ++i) f(i);
}

// f(from), f(from + 1), ... as one vector.
template <int width, class F>
[[gnu::always_inline]] inline void visit_vector(int from, const F& f) {
#pragma omp simd simdlen(width)
  for (int i = 0; i < width; ++i) f(from + i);
}

template <class F>
[[gnu::flatten]] bool finds_in_row(int n, const F& function) {
  const F f = function;
  // Counted in double: GCC 12 vectorises a reduction whose width differs from its data badly.
  double n_hits = 0;
#pragma omp simd reduction(+ : n_hits)
  for (int i = 0; i < n; ++i) n_hits += f(i) ? 1.0 : 0.0;
  return n_hits > 0;
}

// The same loops with vectors of eight numbers.
#if defined(__x86_64__)
template <class F>
[[gnu::flatten, gnu::noinline, gnu::target("avx512f,avx512vl,avx512dq,avx512bw,avx512cd")]]
void visit_row_by_eights(int n, const F& function) {
  const F f = function;
#pragma omp simd simdlen(8)
  for (int i = 0; i < n; ++i) f(i);
}
template <class F>
[[gnu::flatten, gnu::noinline, gnu::target("avx512f,avx512vl,avx512dq,avx512bw,avx512cd")]]
void compute_row_by_eights(int n, const F& function) {
  const F f = function;
  const int rest = n % 8;
  const int end = rest > 4 ? n : n - rest;
  for (int i = 0; i < end; i += 8) visit_vector<8>(std::min(i, n - 8), f);
  if (rest == 1)
    f(n - 1);
  else if (rest > 1 && rest <= 4)
    visit_vector<4>(n - 4, f);
}
template <class F>
[[gnu::flatten, gnu::noinline, gnu::target("avx512f,avx512vl,avx512dq,avx512bw,avx512cd")]]
bool finds_in_row_by_eights(int n, const F& function) {
  const F f = function;
  double n_hits = 0;
#pragma omp simd simdlen(8) reduction(+ : n_hits)
  for (int i = 0; i < n; ++i) n_hits += f(i) ? 1.0 : 0.0;
  return n_hits > 0;
}
#else
template <class F>
void visit_row_by_eights(int n, const F& function) {
  visit_row(n, function);
}
template <class F>
void compute_row_by_eights(int n, const F& function) {
  visit_row(n, function);
}
template <class F>
bool finds_in_row_by_eights(int n, const F& function) {
  return finds_in_row(n, function);
}
#endif

/// Whether a row is gone through by eights: where it has eight places, and the processor AVX-512.
inline bool goes_by_eights(int n) {
  return n >= 8 && has_vectors_of_eight();
}

}  // namespace detail

/// Call f(i) for i in [0, n), vectorised: the calls must not depend on one another.
///
/// All row loops of the module are made of the functions in this file. flatten inlines the
/// whole call tree of f, without which readable point functions run an order slower. f comes by
/// reference and is copied before the loop: by value its captures would pass through the stack in
/// pieces of another size than they are read in, which stalls each call for longer than a short row
/// takes.
///
/// Compiled for vectors as the build has them, and for AVX-512, which is taken where the processor
/// has it: the same operations for each i, so the same bits
/// (docs/adr/0003-layout-floating-point-vectors.md).
template <class F>
void for_each_in_row(int n, const F& function) {
  if (detail::goes_by_eights(n))
    detail::visit_row_by_eights(n, function);
  else
    detail::visit_row(n, function);
}

/// The same where it does no harm that f(i) is called twice for some i, as it writes the same
/// again.
///
/// By eights, what a row has beyond whole vectors is then done by one more vector, of eight or of
/// four, that ends with the row, and not one by one: two fifths of the time of rows of 15, a
/// fifth of that of rows of 18. Vectors of four leave too little over to gain by it.
template <class F>
void compute_row(int n, const F& function) {
  if (detail::goes_by_eights(n))
    detail::compute_row_by_eights(n, function);
  else
    detail::visit_row(n, function);
}

/// Say whether f(i) holds for any i in [0, n); every f(i) is evaluated, vectorised.
template <class F>
bool any_in_row(int n, const F& function) {
  return detail::goes_by_eights(n) ? detail::finds_in_row_by_eights(n, function)
                                   : detail::finds_in_row(n, function);
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

}  // namespace thalweg::numerics
