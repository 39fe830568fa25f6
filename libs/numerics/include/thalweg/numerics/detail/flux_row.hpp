// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <type_traits>

#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics::detail {

/// Compute the fluxes through n faces of a row from the primitive states on either side.
template <class Scheme, int Axis>
void flux_row(const Scheme& scheme, std::integral_constant<int, Axis>, int n, const double* l,
              std::ptrdiff_t l_stride, const double* r, std::ptrdiff_t r_stride, double* f,
              std::ptrdiff_t f_stride) {
  using Primitive = typename Scheme::Primitive;
  for_each_in_row(n, [=, system = scheme.system](int i) {
    store(Scheme::Riemann::flux(system, load<Primitive>(l + i, l_stride),
                                load<Primitive>(r + i, r_stride), Axis),
          f + i, f_stride);
  });
}

}  // namespace thalweg::numerics::detail
