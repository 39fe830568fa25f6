// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics::detail {

/// Compute what a Riemann solver finds at n faces of a row, the flux, from the primitive states on
/// either side.
template <class Riemann, int Axis, class System>
[[gnu::flatten]] void solve_faces(const System& equations, int n, const double* l,
                                  std::ptrdiff_t l_stride, const double* r, std::ptrdiff_t r_stride,
                                  double* f, std::ptrdiff_t f_stride) {
  using Primitive = typename System::Primitive;
  for_each_in_row(n, [=, system = equations](int i) {
    store(Riemann::flux(system, load<Primitive>(l + i, l_stride), load<Primitive>(r + i, r_stride),
                        Axis),
          f + i, f_stride);
  });
}

}  // namespace thalweg::numerics::detail
