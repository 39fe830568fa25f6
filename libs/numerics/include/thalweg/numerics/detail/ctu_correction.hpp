// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>

#include <thalweg/numerics/detail/guarded.hpp>
#include <thalweg/numerics/detail/row_buffer.hpp>
#include <thalweg/numerics/detail/tally.hpp>
#include <thalweg/numerics/face_flux.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>
#include <thalweg/numerics/transverse.hpp>

namespace thalweg::numerics::detail {

// How what passes the faces of a cell along one axis corrects its states at those of another. A
// rule has
// - FaceState: what is kept of a face;
// - transverse_difference(system, w, lower, upper): what a cell of state w loses in unit time over
// cell size;
// - apply_transverse(system, w, difference): its state then; unchanged where that is inadmissible.

/// Correct what is conserved, by fluxes.
template <class System>
struct ConservedCorrection {
  using FaceState = typename System::State;
  using TransverseDifference = typename System::State;
  using Primitive = typename System::Primitive;

  static TransverseDifference transverse_difference(const System&, const Primitive&,
                                                    const FaceState& lower,
                                                    const FaceState& upper) {
    return map_components([](double hi, double lo) { return hi - lo; }, upper, lower);
  }
  static Guarded<Primitive> apply_transverse(const System& system, const Primitive& w,
                                             const TransverseDifference& difference) {
    const auto after = map_components([](double u, double du) { return u - du; },
                                      system.to_conserved(w), difference);
    return guarded(system.admissible(after), system.to_primitive(after), w);
  }
};

/// Correct by the system's own equations, from the states at faces.
template <TransverseSystem System>
struct OwnCorrection {
  using FaceState = typename System::FaceState;
  using TransverseDifference = typename System::TransverseDifference;
  using Primitive = typename System::Primitive;

  static TransverseDifference transverse_difference(const System& system, const Primitive& w,
                                                    const FaceState& lower,
                                                    const FaceState& upper) {
    return system.transverse_difference(w, lower, upper);
  }
  static Guarded<Primitive> apply_transverse(const System& system, const Primitive& w,
                                             const TransverseDifference& difference) {
    const Primitive after = system.apply_transverse(w, difference);
    return guarded(system.admissible(after), after, w);
  }
};

/// Gives the FaceState of OwnCorrection in place of a flux.
template <class Riemann>
struct CrossingOf {
  template <TransverseSystem System>
    requires SolverInTwoParts<Riemann, System>
  static constexpr auto waves(const System& system, const typename System::Primitive& l,
                              const typename System::Primitive& r, int axis) {
    return Riemann::waves(system, l, r, axis);
  }
  template <TransverseSystem System, class... Waves>
  static constexpr typename System::FaceState flux(const System& system,
                                                   const typename System::Primitive& l,
                                                   const typename System::Primitive& r, int axis,
                                                   const Waves&... waves) {
    return system.face_state(Riemann::face(system, l, r, axis, waves...), axis);
  }
};

/// What crosses the faces of a row of cells along another axis, and so changes their states.
struct TransverseRow {
  const double* lower;
  const double* upper;
  std::ptrdiff_t stride;  ///< from component to component
  double weight;          ///< time over cell size

  /// Go on to another row.
  void advance(std::ptrdiff_t places) {
    lower += places;
    upper += places;
  }
  /// What cell i, of state w, loses.
  template <class Rule, class System>
  typename Rule::TransverseDifference transverse_difference(const System& system,
                                                            const typename System::Primitive& w,
                                                            std::ptrdiff_t i) const {
    using FaceState = typename Rule::FaceState;
    return map_components([c = weight](double x) { return c * x; },
                          Rule::transverse_difference(system, w, load<FaceState>(lower + i, stride),
                                                      load<FaceState>(upper + i, stride)));
  }
};

/// The state of cell i changed by what crosses its other faces; unchanged where inadmissible then.
template <class Rule, class System, std::size_t n>
Guarded<typename System::Primitive> corrected(const System& system,
                                              const typename System::Primitive& w,
                                              const std::array<TransverseRow, n>& transverse,
                                              std::ptrdiff_t i) {
  // Of two axes the sum is taken first, so that it does not matter which is called which.
  const auto first = transverse[0].template transverse_difference<Rule>(system, w, i);
  if constexpr (n == 1)
    return Rule::apply_transverse(system, w, first);
  else
    return Rule::apply_transverse(
        system, w,
        map_components([](double a, double b) { return a + b; }, first,
                       transverse[1].template transverse_difference<Rule>(system, w, i)));
}

/// The states on one side of a row of faces, and what crosses other faces of the cells there.
struct SideToCorrect {
  const double* states;
  std::ptrdiff_t stride;            ///< from component to component
  const TransverseRow* transverse;  ///< of one or of two axes
};

/// Correct the states on both sides of n faces by what crosses the faces of so many other axes;
/// count the faces with a state that stays as it was.
template <class Rule, std::size_t n_axes, class System>
[[gnu::flatten]] void correct_faces(const System& equations, int n, const SideToCorrect& below,
                                    const SideToCorrect& above, const RowBuffer& to_below,
                                    const RowBuffer& to_above, const TallyRow& replaced_of) {
  using Primitive = typename System::Primitive;
  std::array<TransverseRow, n_axes> of_l, of_r;
  std::copy_n(below.transverse, n_axes, of_l.begin());
  std::copy_n(above.transverse, n_axes, of_r.begin());
  compute_row(n, [=, system = equations, l = below.states, r = above.states, stride = below.stride,
                  to_l = to_below.data, to_r = to_above.data, to_stride = to_below.stride,
                  replaced = replaced_of](int i) {
    const auto new_l = corrected<Rule>(system, load<Primitive>(l + i, stride), of_l, i);
    const auto new_r = corrected<Rule>(system, load<Primitive>(r + i, stride), of_r, i);
    store(new_l.state, to_l + i, to_stride);
    store(new_r.state, to_r + i, to_stride);
    replaced.after[i] =
        replaced.before[i] + (bool(int(new_l.is_own) & int(new_r.is_own)) ? 0.0 : 1.0);
  });
}

}  // namespace thalweg::numerics::detail
