// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

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

/// The predictor-corrector of van Leer with these equations, reconstruction and Riemann solver.
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

  /// update_vl2 and scratch_bytes_vl2; defined with them, in update_vl2.hpp.
  StepReport<dim> update(View<double, dim> u, const Box<dim>& valid, StepSize<dim> step,
                         std::span<std::byte> scratch) const;
  std::size_t scratch_bytes(const Box<dim>& valid) const;
};

/// A rule that advances one block by one step, and knows what it needs for that.
///
/// - update(u, valid, step, scratch): u is defined on valid.grown(n_ghosts) and changed on valid;
///   the report's fluxes are those that changed it;
/// - scratch_bytes(valid): the size of the scratch for a block of these cells;
/// - n_ghosts: ghost cells around a block, corners included, that a step reads.
///
/// The result depends on no more than the cells, so blocks of any size give the same bits.
/// Valid: Scheme, AnyScheme. Invalid: one that fills ghost cells between its stages.
template <class S>
concept BlockScheme = HyperbolicSystem<typename S::System> &&
                      requires(const S s, View<double, S::System::dim> u, Box<S::System::dim> valid,
                               StepSize<S::System::dim> step, std::span<std::byte> scratch) {
                        { S::dim } -> std::convertible_to<int>;
                        { S::n_components } -> std::convertible_to<int>;
                        { s.n_ghosts } -> std::convertible_to<int>;
                        { s.system } -> std::convertible_to<typename S::System>;
                        {
                          s.update(u, valid, step, scratch)
                        } -> std::same_as<StepReport<S::System::dim>>;
                        { s.scratch_bytes(valid) } -> std::same_as<std::size_t>;
                      };

/// The faces normal to an axis of a box of cells; face i is the lower face of cell i.
template <int D>
constexpr Box<D> faces_of(Box<D> cells, int axis) {
  cells.hi[axis] += 1;
  return cells;
}

}  // namespace thalweg::numerics
