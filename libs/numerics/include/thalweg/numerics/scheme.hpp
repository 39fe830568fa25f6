// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include <thalweg/core/view.hpp>
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/reconstruction.hpp>
#include <thalweg/numerics/riemann_hllc.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
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

/// Which sides of a block are walls, by 2*axis + side.
template <int D>
using Walls = std::array<bool, 2 * static_cast<std::size_t>(D)>;

/// The size of a step in time and space, and where what is advanced ends at walls.
template <int D>
struct StepSize {
  double dt;
  Vec<D> dx;
  Walls<D> walls{};  ///< asked where gravity is balanced: elsewhere images are what walls need
};

/// One view of face fluxes for each axis.
template <int D>
using FluxViews = std::array<View<double, D>, static_cast<std::size_t>(D)>;

/// How often a step gave up its order to keep states admissible. What is a face's counts with the
/// cell above it, and of cells the valid ones count: once, although two blocks find it. Faces at
/// the upper ends of a level do not count.
struct Fallbacks {
  std::int64_t limited_fluxes = 0;   ///< faces whose flux was blended with the first-order one
  std::int64_t replaced_states = 0;  ///< inadmissible within the step: half a step on, or either
                                     ///< edge or traced state of a cell, corrected state of a face
  std::int64_t raised_states = 0;    ///< of cells below the density floor
  std::int64_t unresolved_sources = 0;  ///< cells and stages in which sources act at a wrong rate

  constexpr bool operator==(const Fallbacks&) const = default;
  constexpr Fallbacks& operator+=(const Fallbacks& other) {
    limited_fluxes += other.limited_fluxes;
    replaced_states += other.replaced_states;
    raised_states += other.raised_states;
    unresolved_sources += other.unresolved_sources;
    return *this;
  }
};

/// What a step on one block left behind besides the new state.
template <int D>
struct StepReport {
  /// For each axis the flux through every face of the valid cells; face i is the lower face of cell
  /// i, so hi[axis] is one more than the cells'. Lies in the scratch of the step.
  FluxViews<D> flux{};
  /// A cell, the first along x, y, z, whose new state is inadmissible. The step ends there: other
  /// cells, and the numbers below, are then not those of a whole step.
  std::optional<Index<D>> inadmissible{};
  Fallbacks fallbacks{};
};

/// One stage of a step: from the state u that the stage before left, and the one at the start,
///     u <- of_start * u_start + (1 - of_start) * u + acts * dt L(u).
struct Stage {
  double begins = 0;    ///< the time of u, in steps after the start
  double of_start = 0;  ///< 0 in the first stage
  double acts = 1;      ///< the part of dt for which L(u) acts
  double weight = 1;    ///< of L(u), and so of its fluxes, in the whole step; its part of dt
  int n_ghosts = 0;     ///< layers of ghost cells that it reads; 0: as many as the scheme has
  /// Whether it reads ghost cells that lie outside along several axes.
  bool reads_corners = true;
  /// Whether it reads a layer of ghost cells at the start of the step too, where it reads that.
  bool reads_around_start = false;
};

/// The stage of a scheme whose step needs ghost cells at its start alone.
inline constexpr std::array<Stage, 1> one_stage{};

/// The stages of the predictor-corrector of van Leer: half a step, whose fluxes are given up, then
/// the whole one with the fluxes between the states half a step on.
inline constexpr std::array<Stage, 2> vl2_stages{
    {{.acts = 1.0 / 2, .weight = 0, .n_ghosts = 1, .reads_corners = false},
     {.begins = 1.0 / 2, .of_start = 1, .reads_corners = false, .reads_around_start = true}}};

/// Up to which dt * max_signal(...) the predictor-corrector of van Leer is stable.
constexpr double vl2_max_courant(int dim) {
  return dim == 1 ? 1.0 : 0.5;
}

template <HyperbolicSystem System>
struct Vl2Rows;

/// The Riemann solver where none is asked for: HLLC where there are contacts, else HLLE.
template <class System>
using DefaultRiemann = std::conditional_t<ContactSystem<System>, RiemannHllc, RiemannHlle>;

/// The predictor-corrector of van Leer with these equations, reconstruction and Riemann solver.
template <HyperbolicSystem System_, Reconstruction Reconstruction_ = PlmVanLeer,
          RiemannSolver<System_> Riemann_ = DefaultRiemann<System_>>
struct Vl2 {
  using System = System_;
  using State = typename System::State;
  using Primitive = typename System::Primitive;
  using Reconstruction = Reconstruction_;
  using Riemann = Riemann_;
  static constexpr int dim = System::dim;
  static constexpr int n_components = System::n_components;
  /// Ghost cells that a stage needs.
  static constexpr int n_ghosts = 1 + Reconstruction::radius;

  System system{};

  constexpr double max_courant() const { return vl2_max_courant(dim); }
  std::span<const Stage> stages() const { return vl2_stages; }
  // Those of Vl2Rows; to be called where update_vl2.hpp is included.
  StepReport<dim> update_stage(std::size_t stage, View<double, dim> u, ConstView<dim> start,
                               const Box<dim>& valid, StepSize<dim> step,
                               std::span<std::byte> scratch) const {
    return rows().update_stage(stage, u, start, valid, step, scratch);
  }
  std::size_t scratch_bytes(const Box<dim>& valid) const { return rows().scratch_bytes(valid); }
  Vl2Rows<System> rows() const;
};

/// A rule that advances one block by one step, and knows what it needs for that.
///
/// - stages(): ghost cells are filled before each; one_stage where that is done once a step;
/// - update_stage(k, u, start, valid, step, scratch): u is defined on valid.grown(n_ghosts) and
///   changed on valid; the report's fluxes are those that changed it, none where the weight is 0;
///   start holds the valid cells at the start of the step, with a layer of ghost cells if the stage
///   reads around it, and is not read where of_start = 0; all stages are of the same step;
/// - scratch_bytes(valid): the size of the scratch for a block of these cells;
/// - n_ghosts: layers of ghost cells around a block, no fewer than any stage reads; a stage may say
///   that it reads fewer, and no corners.
///
/// The result depends on no more than the cells, so blocks of any size give the same bits.
/// Valid: Vl2, Ctu, RungeKutta, AnyScheme. Invalid: one whose stages follow from the state.
template <class S>
concept BlockScheme =
    HyperbolicSystem<typename S::System> &&
    requires(const S s, std::size_t k, View<double, S::System::dim> u, Box<S::System::dim> valid,
             StepSize<S::System::dim> step, std::span<std::byte> scratch) {
      { S::dim } -> std::convertible_to<int>;
      { S::n_components } -> std::convertible_to<int>;
      { s.n_ghosts } -> std::convertible_to<int>;
      { s.system } -> std::convertible_to<typename S::System>;
      { s.stages() } -> std::same_as<std::span<const Stage>>;
      {
        s.update_stage(k, u, ConstView<S::System::dim>(u), valid, step, scratch)
      } -> std::same_as<StepReport<S::System::dim>>;
      { s.scratch_bytes(valid) } -> std::same_as<std::size_t>;
    };

/// Whether the last stage has all the fluxes of the step, those before it only prepare them: then
/// what acts beside the scheme can go before and after it.
constexpr bool is_one_step(std::span<const Stage> stages) {
  return stages.back().weight == 1;
}

/// The faces normal to an axis of a box of cells; face i is the lower face of cell i.
template <int D>
constexpr Box<D> faces_of(Box<D> cells, int axis) {
  cells.hi[axis] += 1;
  return cells;
}

}  // namespace thalweg::numerics
