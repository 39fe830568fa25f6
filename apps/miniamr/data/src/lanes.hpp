// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include <thalweg/core/fused.hpp>

namespace thalweg::miniamr::data {

template <int N>
struct LanesOf {
  typedef double Type [[gnu::vector_size(N * sizeof(double))]];
};
/// N numbers that are computed with side by side.
template <int N>
using Lanes = typename LanesOf<N>::Type;

template <class V>
inline V load_lanes(const double* from) {
  V lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
template <class V>
inline void store_lanes(const V& lanes, double* to) {
  std::memcpy(to, &lanes, sizeof lanes);
}
/// Each number divided by 7 and rounded once, in a third of the time of a division: one step of
/// Newton's method on the quotient, whose remainder is exact.
/// @pre no quotient is -0, subnormal or not finite
/// @source Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor",
///         IBM J. Res. Dev. 34 (1990) 111, theorem 7.2: the reciprocal is rounded to nearest, and
///         the first quotient, off by 2^-54 + 2^-53 of itself at most, is within a unit in its last
///         place
template <class V>
inline V divided_by_7(const V& x) {
  constexpr double seventh = 1.0 / 7.0;
  const V quotient = x * seventh;
  V result;
  for (std::size_t i = 0; i < sizeof(V) / sizeof(double); ++i)
    result[i] = fused(fused(-7.0, quotient[i], x[i]), seventh, quotient[i]);
  return result;
}

/// The numbers one place further up, or down, and one that takes the free place.
inline Lanes<4> shifted_up(const Lanes<4>& x, double first) {
  return __builtin_shufflevector(x, Lanes<4>{first, first, first, first}, 4, 0, 1, 2);
}
inline Lanes<2> shifted_up(const Lanes<2>& x, double first) {
  return __builtin_shufflevector(x, Lanes<2>{first, first}, 2, 0);
}
inline Lanes<4> shifted_down(const Lanes<4>& x, double last) {
  return __builtin_shufflevector(x, Lanes<4>{last, last, last, last}, 1, 2, 3, 4);
}
inline Lanes<2> shifted_down(const Lanes<2>& x, double last) {
  return __builtin_shufflevector(x, Lanes<2>{last, last}, 1, 2);
}

/// Width cells of a row in registers: fours of them, then two where Width is no multiple of four.
/// Parts are named by std::integral_constant, as for_each() does.
template <int Width>
class RowPart {
  static constexpr int n_fours = Width / 4;
  template <int P>
  using Number = std::integral_constant<int, P>;

 public:
  static constexpr int n = (Width + 2) / 4;  ///< parts
  template <int P>
  using Part = Lanes < P<n_fours ? 4 : 2>;
  /// Where a part begins.
  static constexpr int at(int part) { return 4 * part; }

  static RowPart load(const double* from) {
    RowPart row;
    for_each([&](auto p) { row[p] = load_lanes<Part<p>>(from + at(p)); });
    return row;
  }
  void store(double* to) const {
    for_each([&](auto p) { store_lanes((*this)[p], to + at(p)); });
  }
  template <int P>
  Part<P>& operator[](Number<P>) {
    if constexpr (P < n_fours)
      return fours_[P];
    else
      return two_;
  }
  template <int P>
  const Part<P>& operator[](Number<P> p) const {
    return const_cast<RowPart&>(*this)[p];
  }
  /// Call f(integral constant) for each part.
  template <class F>
  static void for_each(F f) {
    [&]<std::size_t... p>(std::index_sequence<p...>) {
      (f(Number<static_cast<int>(p)>()), ...);
    }(std::make_index_sequence<static_cast<std::size_t>(n)>());
  }

 private:
  Lanes<4> fours_[std::max(n_fours, 1)];
  Lanes<2> two_;
};

}  // namespace thalweg::miniamr::data
