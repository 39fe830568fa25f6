// SPDX-License-Identifier: MIT
#pragma once
// Numbers that are computed with side by side. Everything here is in an anonymous namespace: it is
// included by files that are compiled for different processors, which must not share code.
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <cstddef>

#include <thalweg/core/fused.hpp>
#include <thalweg/vlasov/lagrange.hpp>

namespace thalweg::vlasov {
namespace {

template <int N>
struct VectorOf {
  typedef double Type [[gnu::vector_size(N * sizeof(double))]];
};

/// N doubles. Each operation rounds each of them as a double alone, so N leaves no trace in them.
template <int N>
struct Lanes {
  using Vector = typename VectorOf<N>::Type;
  static constexpr unsigned all = (1u << N) - 1;

  Vector x{};

  Lanes() = default;
  Lanes(double same) : x(same - Vector{}) {}  // + would cost an addition, for the sign of 0
  explicit Lanes(const Vector& vector) : x(vector) {}
  static Lanes load(const double* from) {
    Lanes lanes;
    __builtin_memcpy(&lanes.x, from, sizeof x);
    return lanes;
  }
  void store(double* to) const { __builtin_memcpy(to, &x, sizeof x); }
  double operator[](int lane) const { return x[lane]; }

  Lanes operator-() const { return Lanes(-x); }
  friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.x + b.x); }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.x - b.x); }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.x * b.x); }

  /// a * b + c, rounded once.
  friend Lanes fused(const Lanes& a, const Lanes& b, const Lanes& c) {
#if defined(__AVX512F__)
    if constexpr (N == 8) return Lanes(Vector(_mm512_fmadd_pd(a.x, b.x, c.x)));
#endif
#if defined(__FMA__)
    if constexpr (N == 4) return Lanes(Vector(_mm256_fmadd_pd(a.x, b.x, c.x)));
#endif
    Lanes result;
    for (int i = 0; i < N; ++i) result.x[i] = thalweg::fused(a.x[i], b.x[i], c.x[i]);
    return result;
  }
  /// Each number rounded down to a whole one.
  friend Lanes floor(const Lanes& a) {
#if defined(__AVX512F__)
    if constexpr (N == 8) return Lanes(Vector(_mm512_floor_pd(a.x)));
#endif
#if defined(__AVX2__)
    if constexpr (N == 4) return Lanes(Vector(_mm256_floor_pd(a.x)));
#endif
    Lanes result;
    for (int i = 0; i < N; ++i) result.x[i] = __builtin_floor(a.x[i]);
    return result;
  }
  /// The lanes in which two have the same number, a bit each.
  friend unsigned equal_lanes(const Lanes& a, const Lanes& b) {
#if defined(__AVX512F__)
    if constexpr (N == 8) return _mm512_cmp_pd_mask(a.x, b.x, _CMP_EQ_OQ);
#endif
#if defined(__AVX2__)
    if constexpr (N == 4)
      return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a.x, b.x, _CMP_EQ_OQ)));
#endif
    unsigned bits = 0;
    for (int i = 0; i < N; ++i) bits |= unsigned{a.x[i] == b.x[i]} << i;
    return bits;
  }
  /// The lanes whose bits are set of one, the others of the other.
  friend Lanes select(unsigned bits, const Lanes& set, const Lanes& other) {
    Lanes result = other;
    for (int i = 0; i < N; ++i)
      if ((bits >> i & 1) != 0) result.x[i] = set.x[i];
    return result;
  }
};

}  // namespace
}  // namespace thalweg::vlasov
