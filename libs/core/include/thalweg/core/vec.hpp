// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <compare>
#include <concepts>

namespace thalweg {

/// What messages call an axis: 0 is x, 1 is y, 2 is z.
constexpr char axis_name(int axis) {
  return "xyz"[axis];
}

/// D numbers, one an axis. Arithmetic is component by component.
template <class T, int D>
struct BasicVec {
  std::array<T, D> at{};

  constexpr T& operator[](int axis) { return at[static_cast<std::size_t>(axis)]; }
  constexpr const T& operator[](int axis) const { return at[static_cast<std::size_t>(axis)]; }
  constexpr auto operator<=>(const BasicVec&) const = default;

  /// All components the same.
  static constexpr BasicVec filled(T value) {
    BasicVec v;
    for (int a = 0; a < D; ++a) v[a] = value;
    return v;
  }
  /// One along an axis, zero elsewhere.
  static constexpr BasicVec unit(int axis) {
    BasicVec v;
    v[axis] = T{1};
    return v;
  }

  constexpr BasicVec& operator+=(const BasicVec& o) {
    for (int a = 0; a < D; ++a) at[static_cast<std::size_t>(a)] += o[a];
    return *this;
  }
  constexpr BasicVec& operator-=(const BasicVec& o) {
    for (int a = 0; a < D; ++a) at[static_cast<std::size_t>(a)] -= o[a];
    return *this;
  }
  constexpr BasicVec& operator*=(T s) {
    for (int a = 0; a < D; ++a) at[static_cast<std::size_t>(a)] *= s;
    return *this;
  }
  friend constexpr BasicVec operator+(BasicVec u, const BasicVec& v) { return u += v; }
  friend constexpr BasicVec operator-(BasicVec u, const BasicVec& v) { return u -= v; }
  friend constexpr BasicVec operator*(BasicVec u, T s) { return u *= s; }
  friend constexpr BasicVec operator*(T s, BasicVec u) { return u *= s; }
  friend constexpr BasicVec operator*(BasicVec u, const BasicVec& v) {
    for (int a = 0; a < D; ++a) u[a] *= v[a];
    return u;
  }
};

/// Sum of the products of the components.
template <class T, int D>
constexpr T dot(const BasicVec<T, D>& u, const BasicVec<T, D>& v) {
  T sum{};
  for (int a = 0; a < D; ++a) sum += u[a] * v[a];
  return sum;
}

/// Product of the components.
template <class T, int D>
constexpr T product(const BasicVec<T, D>& v) {
  T result{1};
  for (int a = 0; a < D; ++a) result *= v[a];
  return result;
}

template <int D>
using Vec = BasicVec<double, D>;  ///< a point or a vector in space
template <int D>
using Index = BasicVec<int, D>;  ///< a cell, a block, or an offset between two

/// Largest integer not above a / b, for b > 0 and any a.
constexpr int floor_div(int a, int b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// floor_div of each component.
template <int D>
constexpr Index<D> floor_div(Index<D> v, const Index<D>& b) {
  for (int a = 0; a < D; ++a) v[a] = floor_div(v[a], b[a]);
  return v;
}
template <int D>
constexpr Index<D> floor_div(Index<D> v, int b) {
  return floor_div(v, Index<D>::filled(b));
}

}  // namespace thalweg
