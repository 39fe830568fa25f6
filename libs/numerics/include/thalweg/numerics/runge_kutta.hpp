// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>

#include <thalweg/core/error.hpp>
#include <thalweg/numerics/ppm.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::numerics {

template <HyperbolicSystem System>
struct RungeKuttaRows;

namespace detail {
/// @errors throws Error
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_order(int order) {
  throw Error("RungeKutta::order = " + std::to_string(order) +
              " (there are methods of order 2 and 3); set one of these");
}
}  // namespace detail

/// The stages of the strong-stability-preserving methods: see RungeKutta.
/// @param order  2 or 3: also the number of stages
/// @errors throws Error for another order
inline std::span<const Stage> runge_kutta_stages(int order) {
  static constexpr std::array<Stage, 2> second{{{.weight = 1.0 / 2, .reads_corners = false},
                                                {.begins = 1,
                                                 .of_start = 1.0 / 2,
                                                 .acts = 1.0 / 2,
                                                 .weight = 1.0 / 2,
                                                 .reads_corners = false}}};
  static constexpr std::array<Stage, 3> third{{{.weight = 1.0 / 6, .reads_corners = false},
                                               {.begins = 1,
                                                .of_start = 3.0 / 4,
                                                .acts = 1.0 / 4,
                                                .weight = 1.0 / 6,
                                                .reads_corners = false},
                                               {.begins = 1.0 / 2,
                                                .of_start = 1.0 / 3,
                                                .acts = 1 - 1.0 / 3,
                                                .weight = 2.0 / 3,
                                                .reads_corners = false}}};
  if (order == 2) return second;
  if (order != 3) detail::refuse_order(order);
  return third;
}

/// Up to which dt * max_signal(...) Euler steps, and so means of them, are stable.
constexpr double runge_kutta_max_courant(int dim) {
  return 1.0 / dim;
}

/// Up to which, at most, where two stages meet short waves that are hardly damped. At a frequency w
/// two stages multiply their energy by 1 + (w dt)^4/4 in a step; up to here limiters stop that.
inline constexpr double undamped_max_courant = 0.4;

/// The method of lines: fluxes between reconstructed states, and a Runge-Kutta method in time.
///
/// The strong-stability-preserving methods of two and three stages, whose stages are means of Euler
/// steps:
///     order 2:  u1 = E(u0),  u = (u0 + E(u1))/2
///     order 3:  u1 = E(u0),  u2 = 3/4 u0 + 1/4 E(u1),  u = 1/3 u0 + 2/3 E(u2)
/// with E(u) = u + dt L(u). Ghost cells are filled before each stage. Stable up to
/// dt * max_signal(...) = 1/D; of order 2 with parabolas to 0.4 at most, and take order 3 with
/// them. See RungeKuttaRows for how a stage works.
/// @source Shu, Osher, JCP 77 (1988) 439, eq. 2.16 and 2.18; Gottlieb, Shu, Tadmor, SIAM Review 43
///         (2001) 89, eq. 3.1 and 3.2
template <HyperbolicSystem System_, Reconstruction Reconstruction_ = PpmExtrema,
          RiemannSolver<System_> Riemann_ = DefaultRiemann<System_>>
struct RungeKutta {
  using System = System_;
  using State = typename System::State;
  using Primitive = typename System::Primitive;
  using Reconstruction = Reconstruction_;
  using Riemann = Riemann_;
  static constexpr int dim = System::dim;
  static constexpr int n_components = System::n_components;
  /// Ghost cells that one stage needs.
  static constexpr int n_ghosts = 1 + Reconstruction::radius;

  System system{};
  int order = 3;  ///< 2 or 3: also the number of stages

  constexpr double max_courant() const {
    const double of_euler = runge_kutta_max_courant(dim);
    const bool is_damped =
        order != 2 || Reconstruction::radius < 2;  // lines damp, parabolas do not
    return is_damped ? of_euler : std::min(of_euler, undamped_max_courant);
  }
  std::span<const Stage> stages() const { return runge_kutta_stages(order); }
  // Those of RungeKuttaRows; to be called where update_runge_kutta.hpp is included.
  StepReport<dim> update_stage(std::size_t stage, View<double, dim> u, ConstView<dim> start,
                               const Box<dim>& valid, StepSize<dim> step,
                               std::span<std::byte> scratch) const {
    return rows().update_stage(stage, u, start, valid, step, scratch);
  }
  std::size_t scratch_bytes(const Box<dim>& valid) const { return rows().scratch_bytes(valid); }
  RungeKuttaRows<System> rows() const;
};

}  // namespace thalweg::numerics
