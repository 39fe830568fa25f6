// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include <thalweg/core/box.hpp>
#include <thalweg/core/centring.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/numerics/prolong.hpp>

namespace thalweg::induction {

/// The components of the magnetic field, each on the faces normal to it.
using FacesIn = std::array<View<const double, 2>, 2>;
using FacesOut = std::array<View<double, 2>, 2>;

/// A component between the two faces below and above a node, from where the flow comes: linear in
/// the face's half cell, with a limited slope.
inline double upwind(const View<const double, 2>& b, const Index<2>& node, int axis, double v) {
  const Index<2> one = Index<2>::unit(axis);
  const Index<2> from = v > 0 ? node - one : node;
  const double slope =
      numerics::slope_monotonised_central(b[0, from - one], b[0, from], b[0, from + one]);
  return b[0, from] + (v > 0 ? 0.5 : -0.5) * slope;
}

/// The electric field -v x B at a node, along z.
inline double electric_field(const FacesIn& b, const Vec<2>& v, const Index<2>& node) {
  return v[1] * upwind(b[0], node, 1, v[1]) - v[0] * upwind(b[1], node, 0, v[0]);
}

/// Advance the magnetic field by dt under an electric one: dB/dt = -curl E, by Stokes' theorem.
///
/// What a face gains, its neighbours lose: the divergence of each cell changes by rounding only.
/// @shape  b  at least the faces of `cells`; e  its nodes
/// @source Evans and Hawley, ApJ 332 (1988) 659
inline void add_curl(const FacesOut& b, const View<const double, 2>& e, const Box<2>& cells,
                     double dt, const Vec<2>& dx) {
  const Index<2> x = Index<2>::unit(0);
  const Index<2> y = Index<2>::unit(1);
  for_each(Centring<2>::face(0).points(cells),
           [&](const Index<2>& i) { b[0][0, i] -= dt / dx[1] * (e[0, i + y] - e[0, i]); });
  for_each(Centring<2>::face(1).points(cells),
           [&](const Index<2>& i) { b[1][0, i] += dt / dx[0] * (e[0, i + x] - e[0, i]); });
}

/// The magnetic field of a vector potential along z, on a face: the mean over it, exactly.
/// @param a  a(node index), the potential
template <class Potential>
double curl_on_face(const Potential& a, int axis, const Index<2>& face, const Vec<2>& dx) {
  const int along = 1 - axis;
  const double difference = a(face + Index<2>::unit(along)) - a(face);
  return (axis == 0 ? difference : -difference) / dx[along];
}

/// The field in the middle of a cell.
inline Vec<2> at_centre(const FacesIn& b, const Index<2>& cell) {
  return {{0.5 * (b[0][0, cell] + b[0][0, cell + Index<2>::unit(0)]),
           0.5 * (b[1][0, cell] + b[1][0, cell + Index<2>::unit(1)])}};
}

/// What flows out of a cell over its volume; 0 but for rounding.
inline double divergence(const FacesIn& b, const Index<2>& cell, const Vec<2>& dx) {
  return (b[0][0, cell + Index<2>::unit(0)] - b[0][0, cell]) / dx[0] +
         (b[1][0, cell + Index<2>::unit(1)] - b[1][0, cell]) / dx[1];
}

}  // namespace thalweg::induction
