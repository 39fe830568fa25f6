// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <utility>

#include <thalweg/numerics/characteristic.hpp>
#include <thalweg/numerics/detail/ctu_correction.hpp>
#include <thalweg/numerics/row_kernels.hpp>
#include <thalweg/numerics/system.hpp>
#include <thalweg/numerics/transverse.hpp>

namespace thalweg::numerics {

/// What a Riemann solver finds at the faces of a row, of states that are first corrected by what
/// crosses the other faces of their cells: for each axis a kernel.
template <CharacteristicSystem System>
using CorrectedFaceKernels =
    std::array<void (*)(const System&, int n, const detail::SideToCorrect& below,
                        const detail::SideToCorrect& above, double* f, std::ptrdiff_t f_stride,
                        const detail::TallyRow& replaced),
               static_cast<std::size_t>(System::dim)>;

/// How the states at faces are corrected by what crosses the other faces of their cells, with a
/// Riemann solver as a value.
template <CharacteristicSystem System>
struct CorrectionKernels {
  int n_face_state = 0;                                ///< doubles that are kept of a face
  FaceKernels<System> crossings{};                     ///< what is kept
  CorrectedFaceKernels<System> crossings_after_one{};  ///< by one other axis, in 3-D
  CorrectedFaceKernels<System> fluxes_after_all{};     ///< by all other axes
};

namespace detail {

template <class System, class Rule, std::size_t n_axes, class Riemann>
inline constexpr CorrectedFaceKernels<System> corrected_kernels =
    []<int... axis>(std::integer_sequence<int, axis...>) {
      return CorrectedFaceKernels<System>{
          solve_corrected_faces<Rule, n_axes, Riemann, axis, System>...};
    }(std::make_integer_sequence<int, System::dim>{});

/// @tparam Crossings  finds what is kept of a face   @tparam Riemann  finds the flux
template <class System, class Rule, class Crossings, class Riemann>
constexpr CorrectionKernels<System> corrections() {
  CorrectionKernels<System> kernels{n_components_of<typename Rule::FaceState>};
  if constexpr (System::dim > 1) {
    kernels.crossings = face_kernels<System, Crossings>;
    kernels.fluxes_after_all = corrected_kernels<System, Rule, System::dim - 1, Riemann>;
  }
  if constexpr (System::dim > 2)
    kernels.crossings_after_one = corrected_kernels<System, Rule, 1, Crossings>;
  return kernels;
}

}  // namespace detail

/// The kernels of a Riemann solver: they correct by the system's own rule where it has one and the
/// solver knows the state at a face, else by that of conservation.
template <CharacteristicSystem System, class Riemann>
inline constexpr CorrectionKernels<System> correction_kernels = [] {
  if constexpr (TransverseSystem<System> && FaceSolver<Riemann, System>)
    return detail::corrections<System, detail::OwnCorrection<System>, detail::CrossingOf<Riemann>,
                               Riemann>();
  else
    return detail::corrections<System, detail::ConservedCorrection<System>, Riemann, Riemann>();
}();

}  // namespace thalweg::numerics
