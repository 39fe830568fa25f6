// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include <thalweg/numerics/characteristic.hpp>
#include <thalweg/numerics/ppm.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::numerics {

/// What keeps strong shocks free of oscillations in a Ctu step.
struct ShockCare {
  bool flattens = true;    ///< lower the order inside shocks
  double viscosity = 0.1;  ///< of the jump across a face, where the flow converges; 0: none
};

template <CharacteristicSystem System>
struct CtuRows;

/// Ghost cells that a step needs: one layer of cells is traced as well, and the search for shocks
/// reads three cells to either side.
template <CharacteristicSystem System>
constexpr int ctu_ghosts(int radius) {
  return 1 + std::max(radius, ShockSystem<System> ? 3 : 0);
}

/// The unsplit corner transport upwind scheme with characteristic tracing.
///
/// One stage, one ghost fill a step, stable up to dt * max_signal(...) = 1 in any dimension. See
/// CtuRows for how it works.
template <CharacteristicSystem System_, Reconstruction Reconstruction_ = PpmClassic,
          RiemannSolver<System_> Riemann_ = DefaultRiemann<System_>>
struct Ctu {
  using System = System_;
  using State = typename System::State;
  using Primitive = typename System::Primitive;
  using Reconstruction = Reconstruction_;
  using Riemann = Riemann_;
  static constexpr int dim = System::dim;
  static constexpr int n_components = System::n_components;
  static constexpr int n_ghosts = ctu_ghosts<System>(Reconstruction::radius);

  System system{};
  ShockCare care{};

  constexpr double max_courant() const { return 1; }
  std::span<const Stage> stages() const { return one_stage; }
  // Those of CtuRows; to be called where update_ctu.hpp is included.
  StepReport<dim> update_stage(std::size_t stage, View<double, dim> u, ConstView<dim> start,
                               const Box<dim>& valid, StepSize<dim> step,
                               std::span<std::byte> scratch) const {
    return rows().update_stage(stage, u, start, valid, step, scratch);
  }
  std::size_t scratch_bytes(const Box<dim>& valid) const { return rows().scratch_bytes(valid); }
  CtuRows<System> rows() const;
};

}  // namespace thalweg::numerics
