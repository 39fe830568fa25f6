// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>

#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// A system with an equation of its own for what waves across the faces of a cell change in it: of
/// its pressure, say, in place of the total energy.
///
/// - face_state(w, axis): what passes through a face where the state is w, an aggregate of doubles;
/// - transverse_difference(w, lower, upper): what a cell of state w loses for that in unit time
///   over cell size, an aggregate of n_components doubles;
/// - apply_transverse(w, difference): the state without it, or nonsense where that is inadmissible.
///
/// Valid: hydro::Euler<3>. Invalid: one whose difference depends on which face is called lower but
/// for its sign.
template <class S>
concept TransverseSystem =
    HyperbolicSystem<S> &&
    requires(const S s, typename S::Primitive w, typename S::FaceState c,
             typename S::TransverseDifference x) {
      { s.face_state(w, 0) } -> std::same_as<typename S::FaceState>;
      { s.transverse_difference(w, c, c) } -> std::same_as<typename S::TransverseDifference>;
      { s.apply_transverse(w, x) } -> std::same_as<typename S::Primitive>;
    } &&
    detail::AggregateOfDoubles<typename S::TransverseDifference, S::n_components>;

/// A Riemann solver that finds the state at the face, whose flux is its own.
///
/// Valid: hydro::RiemannTwoShock. Invalid: RiemannHllc, which knows means between waves.
template <class R, class System>
concept FaceSolver =
    RiemannSolver<R, System> && requires(const System s, typename System::Primitive w, int axis) {
      { R::face(s, w, w, axis) } -> std::same_as<typename System::Primitive>;
    };

}  // namespace thalweg::numerics
