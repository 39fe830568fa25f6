// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <utility>

#include <thalweg/numerics/detail/flux_row.hpp>
#include <thalweg/numerics/detail/reconstruct_quantities.hpp>
#include <thalweg/numerics/reconstruction.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

// The rules of a scheme as values. A row kernel depends on the system and the one rule it applies,
// not on the scheme: it is compiled once for all schemes that have the rule, and they call it a row
// at a time through a pointer.

/// A rule of reconstruction as a value.
struct EdgeKernel {
  int radius;
  bool is_bounded;
  void (*row)(int n, const detail::Quantities& quantities, const detail::EdgeRow& edges);
};

/// Rule as a value.
template <Reconstruction Rule>
inline constexpr EdgeKernel edge_kernel{Rule::radius, Rule::is_bounded,
                                        detail::reconstruct_quantities<Rule>};

/// What a Riemann solver finds at the faces of a row, of the states below and above them: for each
/// axis a kernel. Strides are from component to component.
template <HyperbolicSystem System>
using FaceKernels =
    std::array<void (*)(const System&, int n, const double* l, std::ptrdiff_t l_stride,
                        const double* r, std::ptrdiff_t r_stride, double* f,
                        std::ptrdiff_t f_stride),
               static_cast<std::size_t>(System::dim)>;

/// Riemann as a value.
template <HyperbolicSystem System, class Riemann>
inline constexpr FaceKernels<System> face_kernels =
    []<int... axis>(std::integer_sequence<int, axis...>) {
      return FaceKernels<System>{detail::solve_faces<Riemann, axis, System>...};
    }(std::make_integer_sequence<int, System::dim>{});

/// Equations with rules to reconstruct and to solve Riemann problems, chosen while the program
/// runs: what sweeps over a block need to know.
template <HyperbolicSystem System_>
struct RowKernels {
  using System = System_;
  using State = typename System::State;
  using Primitive = typename System::Primitive;
  static constexpr int dim = System::dim;
  static constexpr int n_components = System::n_components;

  System system{};
  EdgeKernel edges;
  FaceKernels<System> fluxes;
};

}  // namespace thalweg::numerics
