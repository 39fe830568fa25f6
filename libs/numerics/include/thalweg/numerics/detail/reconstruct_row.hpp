// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/numerics/reconstruction.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics::detail {

/// Read a quantity in a cell and its neighbours along an axis.
template <int radius>
constexpr Stencil<radius> load_stencil(const double* centre, std::ptrdiff_t stride) {
  Stencil<radius> q;
  for (int s = -radius; s <= radius; ++s)
    q[static_cast<std::size_t>(s + radius)] = centre[s * stride];
  return q;
}

/// Edge values of a row of cells with all components.
struct EdgeRow {
  double* lower;
  double* upper;
  std::ptrdiff_t stride;  ///< from component to component
};

/// Give cells one of whose edges is inadmissible their mean at both.
template <class System>
void flatten_inadmissible_row(const System& equations, int n, const double* w,
                              std::ptrdiff_t component_stride, const EdgeRow& edges) {
  using Primitive = typename System::Primitive;
  for_each_in_row(n, [=, system = equations](int i) {
    const auto mean = load<Primitive>(w + i, component_stride);
    const auto lower = load<Primitive>(edges.lower + i, edges.stride);
    const auto upper = load<Primitive>(edges.upper + i, edges.stride);
    const bool is_good = bool(int(system.admissible(system.to_conserved(lower))) &
                              int(system.admissible(system.to_conserved(upper))));
    const auto keep = [=](double edge, double average) { return is_good ? edge : average; };
    store(map_components(keep, lower, mean), edges.lower + i, edges.stride);
    store(map_components(keep, upper, mean), edges.upper + i, edges.stride);
  });
}

/// Reconstruct the edge values of one quantity in n cells of a row.
template <class Rule>
void reconstruct_quantity(int n, const double* q, std::ptrdiff_t stride, double* lower,
                          double* upper) {
  for_each_in_row(n, [=](int i) {
    const Edges e = Rule::edges(load_stencil<Rule::radius>(q + i, stride));
    lower[i] = e.lower;
    upper[i] = e.upper;
  });
}

/// Reconstruct the edge values of n cells of a row along an axis, component by component.
/// @param stride  distance in w from a cell to the next along the axis
template <class Scheme>
void reconstruct_row(const Scheme& scheme, int n, const double* w, std::ptrdiff_t component_stride,
                     std::ptrdiff_t stride, const EdgeRow& edges) {
  using Rule = typename Scheme::Reconstruction;
  for (int c = 0; c < Scheme::n_components; ++c)
    reconstruct_quantity<Rule>(n, w + c * component_stride, stride, edges.lower + c * edges.stride,
                               edges.upper + c * edges.stride);
  if constexpr (!Rule::is_bounded)
    flatten_inadmissible_row(scheme.system, n, w, component_stride, edges);
}

}  // namespace thalweg::numerics::detail
