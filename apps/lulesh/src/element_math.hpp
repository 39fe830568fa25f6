// SPDX-License-Identifier: MIT
#pragma once
// The geometry of hexahedra, for several of them side by side. Each sum has the reference's order
// of operations. Anonymous namespace: see lanes.hpp.
#include <concepts>

#include "lanes.hpp"

namespace thalweg::lulesh {
namespace {

/// A point or vector of each lane.
template <class V>
struct Point {
  V x, y, z;

  friend Point operator+(const Point& a, const Point& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend Point operator-(const Point& a, const Point& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend Point operator*(double s, const Point& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend Point operator*(const V& s, const Point& a)
    requires(!std::same_as<V, double>)
  {
    return {s * a.x, s * a.y, s * a.z};
  }
  friend V dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  friend Point cross(const Point& a, const Point& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
};

/// The corners of an element: 0, 1, 2, 3 around the face of lowest z, 4, 5, 6, 7 above them.
template <class V>
struct Corners {
  Point<V> at[8];

  const Point<V>& operator[](int c) const { return at[c]; }
  Point<V>& operator[](int c) { return at[c]; }
};

/// Vectors at the nodes of elements. @param nodes  8 for each element
/// @param is_run  whether those of an element follow those of the one before
template <class V>
Corners<V> gather_corners(const double* x, const double* y, const double* z,
                          const std::uint32_t* nodes, bool is_run) {
  Corners<V> corners;
  if (is_run) {
#pragma GCC unroll 8
    for (int c = 0; c < 8; ++c)
      corners[c] = {load<V>(x + nodes[c]), load<V>(y + nodes[c]), load<V>(z + nodes[c])};
    return corners;
  }
#pragma GCC unroll 8
  for (int c = 0; c < 8; ++c)
    corners[c] = {gather<V>(x, nodes + c, 8), gather<V>(y, nodes + c, 8),
                  gather<V>(z, nodes + c, 8)};
  return corners;
}

template <class V>
V triple_product(const Point<V>& a, const Point<V>& b, const Point<V>& c) {
  return a.x * (b.y * c.z - c.y * b.z) + a.y * (c.x * b.z - b.x * c.z) +
         a.z * (b.x * c.y - c.x * b.y);
}

/// Volume of a hexahedron. @source Grandy, UCRL-ID-128886 (1997)
template <class V>
V volume_of(const Corners<V>& p) {
  const V sum = triple_product((p[3] - p[1]) + (p[7] - p[2]), p[6] - p[3], p[2] - p[0]) +
                triple_product((p[4] - p[3]) + (p[5] - p[7]), p[6] - p[4], p[7] - p[0]) +
                triple_product((p[1] - p[4]) + (p[2] - p[5]), p[6] - p[1], p[5] - p[0]);
  return sum * (1.0 / 12.0);
}

/// 16 times the square of a face's area, where it is flat.
template <class V>
V face_measure(const Point<V>& a, const Point<V>& b, const Point<V>& c, const Point<V>& d) {
  const Point<V> f = (c - a) - (d - b);
  const Point<V> g = (c - a) + (d - b);
  const V fg = dot(f, g);
  return dot(f, f) * dot(g, g) - fg * fg;
}

/// Volume over the area of the largest face, the reference's characteristic length.
template <class V>
V characteristic_length(const Corners<V>& p, const V& volume) {
  constexpr int faces[6][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4},
                               {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  V largest = fill<V>(0);
#pragma GCC unroll 6
  for (const auto& f : faces) {
    const V measure = face_measure(p[f[0]], p[f[1]], p[f[2]], p[f[3]]);
    largest = measure < largest ? largest : measure;
  }
  return 4.0 * volume / square_root(largest);
}

/// The Jacobian of an element at its centre: cofactors and determinant times 8, a volume.
template <class V>
struct Jacobian {
  Point<V> xi, eta, zeta;  ///< rows of cofactors
  V volume;
};

template <class V>
Jacobian<V> jacobian_of(const Corners<V>& p) {
  const Point<V> d60 = p[6] - p[0];
  const Point<V> d53 = p[5] - p[3];
  const Point<V> d71 = p[7] - p[1];
  const Point<V> d42 = p[4] - p[2];
  const Point<V> xi = 0.125 * (d60 + d53 - d71 - d42);
  const Point<V> eta = 0.125 * (d60 - d53 + d71 - d42);
  const Point<V> zeta = 0.125 * (d60 + d53 + d71 + d42);
  Jacobian<V> j{cross(eta, zeta), cross(zeta, xi), cross(xi, eta), {}};
  j.volume = 8.0 * dot(eta, j.eta);
  return j;
}

/// The trace of the velocity gradient at the centre, as the sum of its three terms.
template <class V>
V divergence_of(const Corners<V>& velocity, const Jacobian<V>& j) {
  const Point<V> b0 = Point<V>{-j.xi.x, -j.xi.y, -j.xi.z} - j.eta - j.zeta;
  const Point<V> b1 = j.xi - j.eta - j.zeta;
  const Point<V> b2 = j.xi + j.eta - j.zeta;
  const Point<V> b3 = Point<V>{-j.xi.x, -j.xi.y, -j.xi.z} + j.eta - j.zeta;
  const Point<V> v0 = velocity[0] - velocity[6];
  const Point<V> v1 = velocity[1] - velocity[7];
  const Point<V> v2 = velocity[2] - velocity[4];
  const Point<V> v3 = velocity[3] - velocity[5];
  const V inverse = 1.0 / j.volume;
  const V dxx = inverse * (b0.x * v0.x + b1.x * v1.x + b2.x * v2.x + b3.x * v3.x);
  const V dyy = inverse * (b0.y * v0.y + b1.y * v1.y + b2.y * v2.y + b3.y * v3.y);
  const V dzz = inverse * (b0.z * v0.z + b1.z * v1.z + b2.z * v2.z + b3.z * v3.z);
  return dxx + dyy + dzz;
}

/// Normals at the corners: a quarter of the areas of the three faces that meet there, outwards.
template <class V>
Corners<V> corner_normals(const Corners<V>& p) {
  constexpr int faces[6][4] = {{0, 1, 2, 3}, {0, 4, 5, 1}, {1, 5, 6, 2},
                               {2, 6, 7, 3}, {3, 7, 4, 0}, {4, 7, 6, 5}};
  const V zero = fill<V>(0);
  Corners<V> normals;
#pragma GCC unroll 8
  for (auto& normal : normals.at) normal = {zero, zero, zero};
#pragma GCC unroll 6
  for (const auto& f : faces) {
    const Point<V>&a = p[f[0]], &b = p[f[1]], &c = p[f[2]], &d = p[f[3]];
    const Point<V> area = 0.25 * cross(0.5 * (d + c - b - a), 0.5 * (c + b - d - a));
#pragma GCC unroll 4
    for (const int corner : f) normals[corner] = normals[corner] + area;
  }
  return normals;
}

/// One component of the derivative of volume, of six neighbours' other components, times 12.
template <class V>
V volume_derivative_term(const V (&a)[6], const V (&b)[6]) {
  return (a[1] + a[2]) * (b[0] + b[1]) - (a[0] + a[1]) * (b[1] + b[2]) +
         (a[0] + a[4]) * (b[3] + b[4]) - (a[3] + a[4]) * (b[0] + b[4]) -
         (a[2] + a[5]) * (b[3] + b[5]) + (a[3] + a[5]) * (b[2] + b[5]);
}

/// The derivative of the volume by the place of each corner.
template <class V>
Corners<V> volume_derivatives(const Corners<V>& p) {
  constexpr int others[8][6] = {{1, 2, 3, 4, 5, 7}, {2, 3, 0, 5, 6, 4}, {3, 0, 1, 6, 7, 5},
                                {0, 1, 2, 7, 4, 6}, {7, 6, 5, 0, 3, 1}, {4, 7, 6, 1, 0, 2},
                                {5, 4, 7, 2, 1, 3}, {6, 5, 4, 3, 2, 0}};
  constexpr double twelfth = 1.0 / 12.0;
  Corners<V> derivatives;
#pragma GCC unroll 8
  for (int c = 0; c < 8; ++c) {
    V x[6], y[6], z[6];
#pragma GCC unroll 6
    for (int i = 0; i < 6; ++i) {
      const Point<V>& other = p[others[c][i]];
      x[i] = other.x;
      y[i] = other.y;
      z[i] = other.z;
    }
    derivatives[c] = {volume_derivative_term(y, z) * twelfth,
                      -volume_derivative_term(x, z) * twelfth,
                      -volume_derivative_term(y, x) * twelfth};
  }
  return derivatives;
}

/// Forces against the four hourglass modes. @param coefficient  how strong
/// @source Flanagan and Belytschko, Int. J. Numer. Methods Eng. 17 (1981) 679
template <class V>
Corners<V> hourglass_forces(const Corners<V>& p, const Corners<V>& velocity, const V& volume,
                            const V& coefficient) {
  constexpr double modes[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                  {1, -1, -1, 1, -1, 1, 1, -1},
                                  {1, -1, 1, -1, 1, -1, 1, -1},
                                  {-1, 1, -1, 1, 1, -1, 1, -1}};
  const Corners<V> dv = volume_derivatives(p);
  const V inverse = 1.0 / volume;
  V shape[8][4];
#pragma GCC unroll 4
  for (int m = 0; m < 4; ++m) {
    Point<V> amount = modes[m][0] * p[0];
#pragma GCC unroll 8
    for (int c = 1; c < 8; ++c) amount = amount + modes[m][c] * p[c];
#pragma GCC unroll 8
    for (int c = 0; c < 8; ++c) shape[c][m] = modes[m][c] - inverse * dot(dv[c], amount);
  }
  Point<V> rate[4];
#pragma GCC unroll 4
  for (int m = 0; m < 4; ++m) {
    rate[m] = shape[0][m] * velocity[0];
#pragma GCC unroll 8
    for (int c = 1; c < 8; ++c) rate[m] = rate[m] + shape[c][m] * velocity[c];
  }
  Corners<V> forces;
#pragma GCC unroll 8
  for (int c = 0; c < 8; ++c)
    forces[c] = coefficient * (shape[c][0] * rate[0] + shape[c][1] * rate[1] +
                               shape[c][2] * rate[2] + shape[c][3] * rate[3]);
  return forces;
}

}  // namespace
}  // namespace thalweg::lulesh
