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
  double* replaced;       ///< counts inadmissible states that the mean takes the place of
};

/// Give cells one of whose edges is inadmissible their mean at both, and count them.
///
/// The test of a whole row is vectorised; only rows with such a cell are gone through one by one.
template <class System>
void flatten_inadmissible_row(const System& equations, int n, const double* w,
                              std::ptrdiff_t component_stride, const EdgeRow& edges) {
  using Primitive = typename System::Primitive;
  const auto is_bad = [=, system = equations](int i) {
    const auto is_good = [&](const double* edge) {
      return system.admissible(system.to_conserved(load<Primitive>(edge + i, edges.stride)));
    };
    return !bool(int(is_good(edges.lower)) & int(is_good(edges.upper)));
  };
  if (!any_in_row(n, is_bad)) return;
  for (int i = 0; i < n; ++i) {
    if (!is_bad(i)) continue;
    const auto mean = load<Primitive>(w + i, component_stride);
    store(mean, edges.lower + i, edges.stride);
    store(mean, edges.upper + i, edges.stride);
    ++edges.replaced[i];
  }
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
  constexpr int n_advanced = Scheme::n_components - n_kept_of<typename Scheme::System>;
  const auto reconstruct = [&]<class R>(R, int c) {
    reconstruct_quantity<R>(n, w + c * component_stride, stride, edges.lower + c * edges.stride,
                            edges.upper + c * edges.stride);
  };
  for (int c = 0; c < n_advanced; ++c) reconstruct(Rule{}, c);
  for (int c = n_advanced; c < Scheme::n_components; ++c) reconstruct(DonorCell{}, c);
  if constexpr (!Rule::is_bounded)
    flatten_inadmissible_row(scheme.system, n, w, component_stride, edges);
}

}  // namespace thalweg::numerics::detail
