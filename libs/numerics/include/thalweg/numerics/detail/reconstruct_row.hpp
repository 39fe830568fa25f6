// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/numerics/detail/reconstruct_quantities.hpp>
#include <thalweg/numerics/detail/weight.hpp>
#include <thalweg/numerics/row_kernels.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics::detail {

/// Whether an edge of any of n cells is inadmissible.
template <class System>
[[gnu::flatten]] bool have_inadmissible_edges(const System& equations, int n,
                                              const EdgeRow& edges) {
  return any_in_row(n, [=, system = equations](int i) {
    const auto is_good = [&](const double* edge) {
      return system.admissible(load<typename System::Primitive>(edge + i, edges.stride));
    };
    return !bool(int(is_good(edges.lower)) & int(is_good(edges.upper)));
  });
}

/// Give cells one of whose edges is inadmissible their mean at both, and count them.
///
/// The test of a whole row is vectorised; only rows with such a cell are gone through one by one.
template <class System>
void flatten_inadmissible_row(const System& system, int n, const double* w,
                              std::ptrdiff_t component_stride, const EdgeRow& edges) {
  using Primitive = typename System::Primitive;
  if (!have_inadmissible_edges(system, n, edges)) return;
  for (int i = 0; i < n; ++i) {
    if (system.admissible(load<Primitive>(edges.lower + i, edges.stride)) &&
        system.admissible(load<Primitive>(edges.upper + i, edges.stride)))
      continue;
    const auto mean = load<Primitive>(w + i, component_stride);
    store(mean, edges.lower + i, edges.stride);
    store(mean, edges.upper + i, edges.stride);
    ++edges.replaced[i];
  }
}

/// Reconstruct the edge values of n cells of a row along an axis, component by component,
/// admissible or not.
/// @param stride  distance in w from a cell to the next along the axis
/// @param weight  not zero: the pressure is that without the weight of the gas, see
///                reconstruct_pressure
template <class System>
void reconstruct_edges(const EdgeKernel& kernel, int n, const double* w,
                       std::ptrdiff_t component_stride, std::ptrdiff_t stride, const EdgeRow& edges,
                       const Weight& weight) {
  constexpr int n_coefficients = n_coefficients_of<System>;
  constexpr int n_advanced = System::n_components - n_coefficients;
  kernel.row(n, {n_advanced, w, component_stride, stride}, edges);
  if constexpr (n_coefficients > 0)
    edge_kernel<DonorCell>.row(
        n, {n_coefficients, w + n_advanced * component_stride, component_stride, stride},
        {edges.lower + n_advanced * edges.stride, edges.upper + n_advanced * edges.stride,
         edges.stride, edges.replaced});
  if constexpr (GravitySystem<System>)
    if (!weight.is_zero())
      reconstruct_pressure<System>(kernel, n, w, component_stride, stride, weight, edges);
}

/// Whether edges may be inadmissible where the cells are not.
inline bool may_be_inadmissible(const EdgeKernel& kernel, const Weight& weight) {
  return !kernel.is_bounded || !weight.is_zero();
}

/// The same, and cells with an inadmissible edge get their mean at both.
template <class System>
void reconstruct_row(const System& system, const EdgeKernel& kernel, int n, const double* w,
                     std::ptrdiff_t component_stride, std::ptrdiff_t stride, const EdgeRow& edges,
                     const Weight& weight = {}) {
  reconstruct_edges<System>(kernel, n, w, component_stride, stride, edges, weight);
  if (may_be_inadmissible(kernel, weight))
    flatten_inadmissible_row(system, n, w, component_stride, edges);
}

}  // namespace thalweg::numerics::detail
