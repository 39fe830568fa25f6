// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>

#include <thalweg/flow/combine.hpp>
#include <thalweg/lulesh/fault.hpp>

namespace thalweg::lulesh {

/// Bounds on the time step.
struct Constraints {
  double courant = 1e20;
  double hydro = 1e20;
};

/// What a cycle came to, of an element or of all ranks.
struct Verdict {
  Constraints bounds{};  ///< on the next time step
  Fault fault{};         ///< the first one, its element numbered among all
};

/// That of both; in any order of combining the same bits.
inline Verdict combine(const Verdict& a, const Verdict& b) {
  const flow::Min least;
  return {{least(a.bounds.courant, b.bounds.courant), least(a.bounds.hydro, b.bounds.hydro)},
          std::min(a.fault, b.fault)};
}

/// Where time stands, the same on all ranks.
struct CycleClock {
  double time = 0;
  double dt = 0;
  std::int64_t cycle = 0;  ///< how many have begun
  Fault fault{};           ///< why the run ends before its time

  bool is_at_end(std::int64_t last_cycle) const;
};

/// The energy that the element at the origin has in the beginning. @param n  elements along an
/// edge of the whole mesh
double initial_energy(int n);

/// Begin a cycle: find its time step of the bounds that the one before has set, or keep the first.
/// A fault of the one before is kept, and time stands still.
void begin_cycle(CycleClock& clock, const Verdict& before);

}  // namespace thalweg::lulesh
