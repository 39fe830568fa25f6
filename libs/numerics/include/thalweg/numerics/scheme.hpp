// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <thalweg/core/view.hpp>
#include <thalweg/numerics/reconstruction.hpp>
#include <thalweg/numerics/riemann_hllc.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// A rule that makes the flux through a face from the primitive states on its two sides.
///
/// Valid: RiemannHllc with any ContactSystem. Invalid: one that needs the position of the face.
template <class R, class System>
concept RiemannSolver =
    HyperbolicSystem<System> && requires(const System s, typename System::Primitive w, int axis) {
      { R::flux(s, w, w, axis) } -> std::same_as<typename System::State>;
    };

/// A second-order finite-volume scheme: equations, reconstruction and Riemann solver.
template <HyperbolicSystem System_, Reconstruction Reconstruction_ = PlmVanLeer,
          RiemannSolver<System_> Riemann_ = RiemannHllc>
struct Scheme {
  using System = System_;
  using State = typename System::State;
  using Primitive = typename System::Primitive;
  using Reconstruction = Reconstruction_;
  using Riemann = Riemann_;
  static constexpr int dim = System::dim;
  static constexpr int n_components = System::n_components;
  /// Cells on either side of a face whose averages its flux is reconstructed from.
  static constexpr int reach = 1 + Reconstruction::radius;
  /// Ghost cells that one step needs: the reach, and one for the predictor.
  static constexpr int n_ghosts = 1 + reach;

  System system{};
};

/// The size of a step in time and space.
template <int D>
struct StepSize {
  double dt;
  Vec<D> dx;
};

/// One view of face fluxes for each axis.
template <int D>
using FluxViews = std::array<View<double, D>, static_cast<std::size_t>(D)>;

/// What a step on one block left behind besides the new state.
template <int D>
struct StepReport {
  /// For each axis the flux through every face of the valid cells; face i is the lower face of cell
  /// i, so hi[axis] is one more than the cells'. Lies in the scratch of the step.
  FluxViews<D> flux{};
  /// A cell, the first along x, y, z, whose new state is inadmissible.
  std::optional<Index<D>> inadmissible{};
  /// Faces whose flux was blended with the first-order one to keep the states admissible.
  std::int64_t n_limited_faces = 0;
};

/// The faces normal to an axis of a box of cells; face i is the lower face of cell i.
template <int D>
constexpr Box<D> faces_of(Box<D> cells, int axis) {
  cells.hi[axis] += 1;
  return cells;
}

}  // namespace thalweg::numerics
