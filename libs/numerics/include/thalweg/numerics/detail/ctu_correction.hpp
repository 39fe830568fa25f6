// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/numerics/detail/guarded.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/transverse.hpp>

namespace thalweg::numerics::detail {

// How what passes the faces of a cell along one axis corrects its states at those of another. A
// rule has
// - Solver: gives what is kept of a face, a Crossing, from the states on its sides;
// - loss(system, w, lower, upper): what a cell of state w loses in unit time over cell size;
// - less(system, w, loss): its state then; unchanged where that is inadmissible.

/// Correct what is conserved, by fluxes.
template <class System, class Riemann>
struct ConservedCorrection {
  using Solver = Riemann;
  using Crossing = typename System::State;
  using Loss = typename System::State;
  using Primitive = typename System::Primitive;

  static Loss loss(const System&, const Primitive&, const Crossing& lower, const Crossing& upper) {
    return map_components([](double hi, double lo) { return hi - lo; }, upper, lower);
  }
  static Guarded<Primitive> less(const System& system, const Primitive& w, const Loss& loss) {
    const auto after =
        map_components([](double u, double du) { return u - du; }, system.to_conserved(w), loss);
    return guarded(system.admissible(after), system.to_primitive(after), w);
  }
};

/// Correct by the system's own equations, from the states at faces.
template <class System, class Riemann>
struct OwnCorrection {
  using Crossing = typename System::Crossing;
  using Loss = typename System::Loss;
  using Primitive = typename System::Primitive;
  struct Solver {
    static Crossing flux(const System& system, const Primitive& l, const Primitive& r, int axis) {
      return system.crossing(Riemann::face(system, l, r, axis), axis);
    }
  };

  static Loss loss(const System& system, const Primitive& w, const Crossing& lower,
                   const Crossing& upper) {
    return system.loss(w, lower, upper);
  }
  static Guarded<Primitive> less(const System& system, const Primitive& w, const Loss& loss) {
    const Primitive after = system.less(w, loss);
    return guarded(system.admissible(after), after, w);
  }
};

template <class System, class Riemann>
struct CorrectionOf {
  using type = ConservedCorrection<System, Riemann>;
};
template <TransverseSystem System, FaceSolver<System> Riemann>
struct CorrectionOf<System, Riemann> {
  using type = OwnCorrection<System, Riemann>;
};
/// The rule of a scheme: its system's own where there is one and the Riemann solver knows the state
/// at a face, else that of conservation.
template <class Scheme>
using Correction = typename CorrectionOf<typename Scheme::System, typename Scheme::Riemann>::type;

}  // namespace thalweg::numerics::detail
