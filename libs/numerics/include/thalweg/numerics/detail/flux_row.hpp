// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/numerics/face_flux.hpp>
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
  compute_row(n, [=, system = equations](int i) {
    store(face_flux<Riemann>(system, load<Primitive>(l + i, l_stride),
                             load<Primitive>(r + i, r_stride), Axis),
          f + i, f_stride);
  });
}

/// Add the diffusive flux through n faces of a row, from the conserved states of the cells on
/// either side, to their fluxes.
template <class System>
void add_diffusive_row(const System& equations, int axis, int n, const double* below,
                       const double* above, std::ptrdiff_t u_stride, double dx, double* f,
                       std::ptrdiff_t f_stride) {
  using State = typename System::State;
  for_each_in_row(n, [=, system = equations](int i) {
    const State diffusive = system.diffusive_flux(load<State>(below + i, u_stride),
                                                  load<State>(above + i, u_stride), dx, axis);
    store(map_components([](double a, double b) { return a + b; }, load<State>(f + i, f_stride),
                         diffusive),
          f + i, f_stride);
  });
}

}  // namespace thalweg::numerics::detail
