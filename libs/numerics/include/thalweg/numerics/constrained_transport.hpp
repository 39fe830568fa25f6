// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>

#include <thalweg/core/box.hpp>
#include <thalweg/core/centring.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/numerics/conservation_law.hpp>
#include <thalweg/numerics/prolong_divergence_free.hpp>

namespace thalweg::numerics {

/// The components of a field on faces, each on the faces normal to it.
template <int D>
using ConstFaceViews = std::array<View<const double, D>, static_cast<std::size_t>(D)>;

/// Advance a field on faces by dt under a field e at nodes, along z: db/dt = -curl e, by Stokes'
/// theorem.
///
/// What a face gains, its neighbours lose: the divergence of each cell changes by rounding only.
/// @shape   b  at least the faces of `cells`; e  its nodes
/// @source  Evans and Hawley, ApJ 332 (1988) 659   @verified constrained_transport_test.cpp
inline void add_curl(const FaceViews<2>& b, const View<const double, 2>& e, const Box<2>& cells,
                     double dt, const Vec<2>& dx) {
  const Index<2> x = Index<2>::unit(0);
  const Index<2> y = Index<2>::unit(1);
  for_each(Centring<2>::face(0).points(cells),
           [&](const Index<2>& i) { b[0][0, i] -= dt / dx[1] * (e[0, i + y] - e[0, i]); });
  for_each(Centring<2>::face(1).points(cells),
           [&](const Index<2>& i) { b[1][0, i] += dt / dx[0] * (e[0, i + x] - e[0, i]); });
}

/// The curl of a potential along z, on a face: its mean there, exactly.
/// @param a  a(node index), the potential
template <class Potential>
double curl_on_face(const Potential& a, int axis, const Index<2>& face, const Vec<2>& dx) {
  const int along = 1 - axis;
  const double difference = a(face + Index<2>::unit(along)) - a(face);
  return (axis == 0 ? difference : -difference) / dx[along];
}

/// The mean over a cell of a field on faces.
template <int D>
Vec<D> mean_over_cell(const ConstFaceViews<D>& b, const Index<D>& cell) {
  Vec<D> mean;
  for (int a = 0; a < D; ++a) {
    const auto& of_axis = b[static_cast<std::size_t>(a)];
    mean[a] = 0.5 * (of_axis[0, cell] + of_axis[0, cell + Index<D>::unit(a)]);
  }
  return mean;
}

/// What flows out of a cell over its volume.
template <int D>
double divergence(const ConstFaceViews<D>& b, const Index<D>& cell, const Vec<D>& dx) {
  double sum = 0;
  for (int a = 0; a < D; ++a) {
    const auto& of_axis = b[static_cast<std::size_t>(a)];
    sum += (of_axis[0, cell + Index<D>::unit(a)] - of_axis[0, cell]) / dx[a];
  }
  return sum;
}

/// A base of equations of a field on faces, db/dt = -curl e: their cells follow from the faces, so
/// nothing flows between them. The equations have to have
/// - electric_field(b, node) -> double: e at a node, from the faces around it;
/// - cell(b, cell, dx) -> State: what is known of a cell;
/// - speeds(State, axis): as for ConservationLaw.
template <class Self, class State>
struct FaceLaw : ConservationLaw<Self, 2, State> {
  constexpr State flux(State, int) const { return {}; }
};

/// Constrained transport (Evans and Hawley): the scheme of a FaceLaw. Second order in time, by
/// Heun's method; the fields are b on faces, e at nodes, and what follows from them in cells.
template <class System_>
struct ConstrainedTransport {
  using System = System_;
  using State = typename System::State;
  static constexpr int dim = 2;
  static constexpr int n_components = System::n_components;
  static constexpr int n_ghosts = 1;           ///< cells, for who looks at neighbours
  static constexpr int n_ghosts_of_faces = 2;  ///< what a limited slope beyond a face reads

  System system{};

  constexpr double max_courant() const { return 0.5; }
};

/// A scheme that advances a field on faces, and not cells.
template <class S>
concept FaceScheme = requires(const S s, ConstFaceViews<2> b, Index<2> i, Vec<2> dx) {
  { s.system.electric_field(b, i) } -> std::same_as<double>;
  { s.system.cell(b, i, dx) } -> std::same_as<typename S::State>;
};

}  // namespace thalweg::numerics
