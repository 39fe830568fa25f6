// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <thalweg/numerics/detail/planes.hpp>
#include <thalweg/numerics/detail/row_buffer.hpp>
#include <thalweg/numerics/detail/tally.hpp>
#include <thalweg/numerics/detail/weight.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/scratch.hpp>

namespace thalweg::numerics::detail {

/// The faces normal to an axis around cells grown by one along all other axes.
template <int D>
Box<D> faces_beside(const Box<D>& valid, int axis) {
  return faces_of(valid.grown(1).grown(axis, -1), axis);
}

/// The plane of faces along an axis through which fluxes are known when states are traced up to
/// those of a plane of cells.
template <int D>
int plane_of_fluxes(int axis, int plane) {
  return axis == D - 1 ? plane : plane - 1;
}

/// Primitive states at the two faces of cells along an axis, seen from inside.
template <int D>
struct FaceStates {
  TwoPlanes<D> lower;
  TwoPlanes<D> upper;
};

/// Numbers at faces along each axis.
template <int D>
using PlanesByAxis = std::array<TwoPlanes<D>, std::size_t{D}>;

/// What a corner transport upwind step keeps while it goes through one block plane by plane.
template <int D>
struct CtuWorkspace {
  CtuWorkspace(const Box<D>& valid, int n_components, int n_face_state, int n_ghosts,
               Scratch& scratch)
      : replaced(valid, 1, scratch) {
    // The fluxes outlive the step: first, so that a caller may keep the front of the scratch only.
    for (int a = 0; a < D; ++a)
      flux[static_cast<std::size_t>(a)] = scratch.take(faces_of(valid, a), n_components);
    old = scratch.take(valid.grown(n_ghosts), n_components);
    flatness = {valid.grown(1), 1, scratch};
    for (int a = 0; a < D; ++a) {
      const auto i = static_cast<std::size_t>(a);
      traced[i] = {{valid.grown(1), n_components, scratch},
                   {valid.grown(1), n_components, scratch}};
      if constexpr (D > 1) first[i] = {faces_beside(valid, a), n_face_state, scratch};
      if constexpr (D > 2)
        for (int b = 0; b < D; ++b)
          if (b != a)
            second[i][static_cast<std::size_t>(b)] = {faces_beside(valid, a).grown(b, -1),
                                                      n_face_state, scratch};
    }
    Box<D> nodes = valid;
    for (int a = 0; a < D; ++a) nodes.hi[a] += 1;
    divergence = {nodes, 1, scratch};
    for (RowBuffer& row : rows) row = take_row(valid.grown(1).extent(0) + 1, n_components, scratch);
  }

  FluxViews<D> flux;                      ///< through the faces of the valid cells
  View<double, D> old;                    ///< primitive, at the start of the step
  TwoPlanes<D> flatness;                  ///< 1: leave the reconstruction, 0: take the mean
  std::array<FaceStates<D>, D> traced;    ///< along each axis, half a step on
  PlanesByAxis<D> first;                  ///< what crosses between the traced states
  std::array<PlanesByAxis<D>, D> second;  ///< [a][b]: along a, of states corrected along b
  TwoPlanes<D> divergence;                ///< of the velocity, at the lower corners of cells
  std::array<RowBuffer, 2> rows;  ///< for edge values, and for states on both sides of faces
  Weight weight{};                ///< room for it; none where no gravity acts
  Walls<D> walls{};               ///< across which it acts
  Tally<D> replaced;              ///< inadmissible states
};

}  // namespace thalweg::numerics::detail
