// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>

#include <thalweg/numerics/face_flux.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics::detail {

/// Find the waves at n faces of a row: the first part of a SolverInTwoParts.
template <class Riemann, int Axis, class System>
[[gnu::flatten]] void find_waves(const System& equations, int n, const double* l,
                                 std::ptrdiff_t l_stride, const double* r, std::ptrdiff_t r_stride,
                                 double* waves, std::ptrdiff_t waves_stride) {
  using Primitive = typename System::Primitive;
  compute_row(n, [=, system = equations](int i) {
    store(face_waves<Riemann>(system, load<Primitive>(l + i, l_stride),
                              load<Primitive>(r + i, r_stride), Axis),
          waves + i, waves_stride);
  });
}

/// Compute the fluxes through n faces of a row: the second part.
template <class Riemann, int Axis, class System>
[[gnu::flatten]] void solve_with_waves(const System& equations, int n, const double* l,
                                       std::ptrdiff_t l_stride, const double* r,
                                       std::ptrdiff_t r_stride, const double* waves,
                                       std::ptrdiff_t waves_stride, double* f,
                                       std::ptrdiff_t f_stride) {
  using Primitive = typename System::Primitive;
  using Waves = decltype(face_waves<Riemann>(equations, Primitive{}, Primitive{}, Axis));
  compute_row(n, [=, system = equations](int i) {
    store(face_flux<Riemann>(system, load<Primitive>(l + i, l_stride),
                             load<Primitive>(r + i, r_stride), Axis,
                             load<Waves>(waves + i, waves_stride)),
          f + i, f_stride);
  });
}

/// Compute what a Riemann solver finds at n faces of a row, the flux, from the primitive states on
/// either side.
template <class Riemann, int Axis, class System>
void solve_faces(const System& equations, int n, const double* l, std::ptrdiff_t l_stride,
                 const double* r, std::ptrdiff_t r_stride, double* f, std::ptrdiff_t f_stride) {
  using Primitive = typename System::Primitive;
  if constexpr (SolverInTwoParts<Riemann, System>) {
    using Waves = decltype(face_waves<Riemann>(equations, Primitive{}, Primitive{}, Axis));
    constexpr int n_most = 504;  // more than most strips have
    alignas(64) std::array<double, std::size_t{n_most} * n_components_of<Waves>> waves;
    for (int at = 0; at < n; at += n_most) {
      const int n_here = std::min(n_most, n - at);
      find_waves<Riemann, Axis>(equations, n_here, l + at, l_stride, r + at, r_stride, waves.data(),
                                n_most);
      solve_with_waves<Riemann, Axis>(equations, n_here, l + at, l_stride, r + at, r_stride,
                                      waves.data(), n_most, f + at, f_stride);
    }
  } else {
    compute_row(n, [=, system = equations](int i) {
      store(face_flux<Riemann>(system, load<Primitive>(l + i, l_stride),
                               load<Primitive>(r + i, r_stride), Axis),
            f + i, f_stride);
    });
  }
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
