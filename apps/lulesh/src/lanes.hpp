// SPDX-License-Identifier: MIT
#pragma once
// Numbers that are computed with side by side. Everything here is in an anonymous namespace: it is
// included by files that are compiled for different processors, which must not share code.
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <cstddef>
#include <cstdint>

namespace thalweg::lulesh {
namespace {

template <int N>
struct LanesOf {
  typedef double Type [[gnu::vector_size(N * sizeof(double))]];
};
template <>
struct LanesOf<1> {
  using Type = double;
};

/// N doubles; one is a double. Each operation rounds each of them as a double alone, so N leaves no
/// trace in them. Comparisons give a mask for `mask ? a : b`.
template <int N>
using Lanes = typename LanesOf<N>::Type;

template <class V>
constexpr int n_lanes = static_cast<int>(sizeof(V) / sizeof(double));

inline double lane_of(double v, int) {
  return v;
}
template <class V>
double lane_of(const V& v, int lane) {
  return v[lane];
}
inline void set_lane(double& v, int, double value) {
  v = value;
}
template <class V>
void set_lane(V& v, int lane, double value) {
  v[lane] = value;
}

/// The same number in all lanes.
template <class V>
V fill(double value) {
  V v;
  for (int l = 0; l < n_lanes<V>; ++l) set_lane(v, l, value);
  return v;
}
template <class V>
V load(const double* from) {
  V v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
template <class V>
void store(const V& v, double* to) {
  __builtin_memcpy(to, &v, sizeof v);
}
/// from[at[0]], from[at[stride]], ...
template <class V>
V gather(const double* from, const std::uint32_t* at, int stride = 1) {
  V v;
  for (int l = 0; l < n_lanes<V>; ++l) set_lane(v, l, from[at[l * stride]]);
  return v;
}
template <class V>
void scatter(const V& v, double* to, const std::uint32_t* at) {
  for (int l = 0; l < n_lanes<V>; ++l) to[at[l]] = lane_of(v, l);
}

/// Ascending places in arrays; those that follow each other are loaded and stored as one.
template <class V>
class Places {
 public:
  explicit Places(const std::uint32_t* at)
      : at_(at), is_run_(at[n_lanes<V> - 1] - at[0] == n_lanes<V> - 1) {}

  bool is_run() const { return is_run_; }
  const std::uint32_t* begin() const { return at_; }
  V of(const double* from) const { return is_run_ ? load<V>(from + at_[0]) : gather<V>(from, at_); }
  void put(const V& v, double* to) const { is_run_ ? store(v, to + at_[0]) : scatter(v, to, at_); }

 private:
  const std::uint32_t* at_;
  bool is_run_;
};

template <class V>
V square_root(const V& v) {
#if defined(__AVX512F__)
  // Masked, as GCC 12 warns of a value without one inside of its own _mm512_sqrt_pd.
  if constexpr (n_lanes<V> == 8) return V(_mm512_maskz_sqrt_pd(0xff, v));
#endif
#if defined(__AVX2__)
  if constexpr (n_lanes<V> == 4) return V(_mm256_sqrt_pd(v));
#endif
  V root = v;
  for (int l = 0; l < n_lanes<V>; ++l) set_lane(root, l, __builtin_sqrt(lane_of(v, l)));
  return root;
}
/// By the C library, lane by lane: its bits are the reference's.
template <class V>
V cube_root(const V& v) {
  V root = v;
  for (int l = 0; l < n_lanes<V>; ++l) set_lane(root, l, __builtin_cbrt(lane_of(v, l)));
  return root;
}
template <class V>
V magnitude(const V& v) {
  return v < 0 ? -v : v;
}

inline bool is_any(bool mask) {
  return mask;
}
template <class M>
bool is_any(const M& mask) {
  bool any = false;
  for (int l = 0; l < n_lanes<M>; ++l) any |= mask[l] != 0;
  return any;
}
inline bool is_set(bool mask, int) {
  return mask;
}
template <class M>
bool is_set(const M& mask, int lane) {
  return mask[lane] != 0;
}

}  // namespace
}  // namespace thalweg::lulesh
