// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <thalweg/numerics/characteristic.hpp>
#include <thalweg/numerics/detail/ctu_correction.hpp>
#include <thalweg/numerics/row_kernels.hpp>
#include <thalweg/numerics/system.hpp>
#include <thalweg/numerics/transverse.hpp>

namespace thalweg::numerics {

/// Corrects the states on both sides of the faces of a row by what crosses the other faces of their
/// cells.
template <CharacteristicSystem System>
using CorrectFaces = void (*)(const System&, int n, const detail::SideToCorrect& below,
                              const detail::SideToCorrect& above, const detail::RowBuffer& to_below,
                              const detail::RowBuffer& to_above, const detail::TallyRow& replaced);

/// How the states at faces are corrected by what crosses the other faces of their cells, with a
/// Riemann solver as a value.
template <CharacteristicSystem System>
struct CorrectionKernels {
  int n_face_state = 0;                           ///< doubles that are kept of a face
  FaceKernels<System> crossings{};                ///< find what is kept
  std::array<CorrectFaces<System>, 2> correct{};  ///< by one other axis, by two
};

namespace detail {

/// @tparam Crossings  finds what is kept of a face
template <class System, class Rule, class Crossings>
constexpr CorrectionKernels<System> corrections() {
  CorrectionKernels<System> kernels{n_components_of<typename Rule::FaceState>};
  if constexpr (System::dim > 1) {
    kernels.crossings = face_kernels<System, Crossings>;
    kernels.correct[0] = correct_faces<Rule, 1, System>;
  }
  if constexpr (System::dim > 2) kernels.correct[1] = correct_faces<Rule, 2, System>;
  return kernels;
}

}  // namespace detail

/// The kernels of a Riemann solver: they correct by the system's own rule where it has one and the
/// solver knows the state at a face, else by that of conservation.
template <CharacteristicSystem System, class Riemann>
inline constexpr CorrectionKernels<System> correction_kernels = [] {
  if constexpr (TransverseSystem<System> && FaceSolver<Riemann, System>)
    return detail::corrections<System, detail::OwnCorrection<System>,
                               detail::CrossingOf<Riemann>>();
  else
    return detail::corrections<System, detail::ConservedCorrection<System>, Riemann>();
}();

}  // namespace thalweg::numerics
