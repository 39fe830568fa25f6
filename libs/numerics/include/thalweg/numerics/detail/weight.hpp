// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/detail/reconstruct_quantities.hpp>
#include <thalweg/numerics/gravity_system.hpp>
#include <thalweg/numerics/row_kernels.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/scratch.hpp>

namespace thalweg::numerics::detail {

/// The weight of the gas in a row of cells along an axis: half * rho is that of half a cell.
struct Weight {
  double half = 0;            ///< g dx / 2 along the axis; 0: nothing weighs
  double* rows = nullptr;     ///< room for a row for each cell of a stencil
  std::ptrdiff_t length = 0;  ///< from one of these rows to the next

  bool is_zero() const { return half == 0; }
};

/// Room for Weight::rows, none where no gravity acts.
/// @param n  cells of a row, at most
template <class System>
Weight take_weight(const RowKernels<System>& kernels, int n, Scratch& scratch) {
  if (!has_gravity(kernels.system)) return {};
  const auto n_rows = static_cast<std::size_t>(2 * kernels.edges.radius + 1);
  return {0.0, scratch.take(n_rows * static_cast<std::size_t>(n)), n};
}

/// That weight along an axis.
template <class System>
Weight along(const Weight& room, const System& system, int axis, double dx) {
  return {0.5 * dx * acceleration_along(system, axis), room.rows, room.length};
}

/// Reconstruct the pressure of n cells of a row along an axis as it would be without the weight of
/// the gas: edges are seen from the middle of each cell.
///
/// Seen from a cell, the pressure at rest in a neighbour is higher by g dx times the mean of both
/// densities, and so on from neighbour to neighbour. What is left over is reconstructed: it is
/// constant where gas is at rest, whatever its density, and so are its edges, by any rule.
/// @param w  the first cell of the row   @param stride  from a cell to the next along the axis
/// @source Kaeppeli and Mishra, JCP 259 (2014) 199, sec. 2, with densities constant in each cell
template <GravitySystem System>
void reconstruct_pressure(const EdgeKernel& kernel, int n, const double* w,
                          std::ptrdiff_t component_stride, std::ptrdiff_t stride,
                          const Weight& weight, const EdgeRow& edges) {
  const double* const rho = w + System::density_at * component_stride;
  const double* const p = w + System::pressure_at * component_stride;
  double* const here = weight.rows + kernel.radius * weight.length;
  for_each_in_row(n, [=](int i) { here[i] = 0; });
  for (const int side : {-1, 1})
    for (int s = 1; s <= kernel.radius; ++s) {
      double* const to = here + side * s * weight.length;
      const double* const before = to - side * weight.length;
      const double* const inner = rho + side * (s - 1) * stride;
      const double* const outer = rho + side * s * stride;
      for_each_in_row(n, [=, half = side * weight.half](int i) {
        to[i] = before[i] + half * (inner[i] + outer[i]);
      });
    }
  for (int s = -kernel.radius; s <= kernel.radius; ++s)
    for_each_in_row(n, [to = here + s * weight.length, from = p + s * stride](int i) {
      to[i] = from[i] - to[i];
    });
  const std::ptrdiff_t at = System::pressure_at * edges.stride;
  kernel.row(n, {1, here, 0, weight.length},
             {edges.lower + at, edges.upper + at, edges.stride, edges.replaced});
}

/// Add to the pressure of n states at faces the weight of the gas between the middles of cells and
/// these faces, where that leaves admissible states.
/// @param half  with the sign of the side: that of Weight for upper faces, the opposite for lower
/// @param rho   densities of the cells
template <GravitySystem System>
void add_weight(const System& equations, int n, double half, const double* rho, const double* from,
                std::ptrdiff_t from_stride, double* to, std::ptrdiff_t to_stride) {
  using Primitive = typename System::Primitive;
  for_each_in_row(n, [=, system = equations](int i) {
    const auto w = load<Primitive>(from + i, from_stride);
    const auto raised = make_state<Primitive>([&](std::size_t c) {
      return component(w, c) + (c == std::size_t{System::pressure_at} ? half * rho[i] : 0.0);
    });
    const bool is_good = system.admissible(raised);
    store(map_components([=](double a, double b) { return is_good ? a : b; }, raised, w), to + i,
          to_stride);
  });
}

/// What gravity changes in a row of states in dt: momenta by dt g times the density, energies by
/// the work on the momenta; of both a mean of the states before and after the fluxes.
/// @param w       primitive states before
/// @param u       conserved states after
/// @param after   the share of the states after, 0 or 1/2
template <GravitySystem System>
void add_gravity_row(const System& system, int n, double dt, double after, const double* w,
                     std::ptrdiff_t w_stride, double* u, std::ptrdiff_t u_stride) {
  constexpr int D = System::dim;
  const Vec<D> kick = dt * system.acceleration();
  for_each_in_row(n, [=](int i) {
    double* const rho = u + System::density_at * u_stride + i;
    const double rho_before = w[System::density_at * w_stride + i];
    const double rho_mean = rho_before + after * (*rho - rho_before);
    double work = 0;
    for (int a = 0; a < D; ++a) {
      double* const mom = u + (System::velocity_at + a) * u_stride + i;
      const double mom_before = rho_before * w[(System::velocity_at + a) * w_stride + i];
      *mom += kick[a] * rho_mean;
      work += kick[a] * (mom_before + after * (*mom - mom_before));
    }
    u[System::pressure_at * u_stride + i] += work;
  });
}

/// The same in the valid cells of a block, where the system has gravity.
/// @param old  primitive states at the start of the step or stage
template <HyperbolicSystem System, int D = System::dim>
void add_gravity(const System& system, const View<double, D>& u, const Box<D>& valid, double dt,
                 double after, ConstView<D> old) {
  if constexpr (GravitySystem<System>) {
    if (!has_gravity(system)) return;
    for_each_row(valid, [&](const Index<D>& row, int n) {
      add_gravity_row(system, n, dt, after, old.at(0, row), old.component_stride(), u.at(0, row),
                      u.component_stride());
    });
  }
}

}  // namespace thalweg::numerics::detail
