// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <type_traits>

#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics::detail {

// Row kernels depend on the system and the one rule they apply, not on the whole scheme: so each is
// compiled once for all schemes that have it.

template <class Riemann, int Axis, class System>
void solve_faces(const System& equations, int n, const double* l, std::ptrdiff_t l_stride,
                 const double* r, std::ptrdiff_t r_stride, double* f, std::ptrdiff_t f_stride) {
  using Primitive = typename System::Primitive;
  for_each_in_row(n, [=, system = equations](int i) {
    store(Riemann::flux(system, load<Primitive>(l + i, l_stride), load<Primitive>(r + i, r_stride),
                        Axis),
          f + i, f_stride);
  });
}

/// Compute the fluxes through n faces of a row from the primitive states on either side.
template <class Scheme, int Axis>
void flux_row(const Scheme& scheme, std::integral_constant<int, Axis>, int n, const double* l,
              std::ptrdiff_t l_stride, const double* r, std::ptrdiff_t r_stride, double* f,
              std::ptrdiff_t f_stride) {
  solve_faces<typename Scheme::Riemann, Axis>(scheme.system, n, l, l_stride, r, r_stride, f,
                                              f_stride);
}

}  // namespace thalweg::numerics::detail
