// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include <thalweg/vlasov/field_sums.hpp>

#include "state.hpp"
#include "step_clock.hpp"

namespace thalweg::vlasov {

/// The sums of what is before a column, and of all columns.
struct ScanSums {
  FieldSums before, total;
};

/// Charge and current of a slab, of its sums along v; where a step was made, the field before it
/// and its current become what predictors look back at.
/// @param sums  of f, then of v f [2 size]
void update_moments(const Settings& settings, SlabField& field, std::span<const double> sums,
                    const StepClock& clock);

/// The sums of each column of a slab, and E along it from 0 before it, which the root of the first
/// slab has found if Fourier transforms are to: then sums of E are 0, and it is E itself.
/// @param charge  of the slab, from 3 points before the slab to 2 behind it; none with Fourier
/// transforms
void add_up_columns(const Settings& settings, const Cuts& cuts, const SlabField& field,
                    std::span<const double> charge, std::span<double> level,
                    std::span<FieldSums> sums, const StepClock& clock, std::uint64_t replay);

/// The field of a slab on its root, and the one that is predicted for the end of the step to come:
/// into the middle of the window, and behind it, with their bounds.
/// @param scans  of each column of the slab
void update_field(const Settings& settings, const Layout& layout, SlabField& field,
                  std::span<const ScanSums> scans, std::span<const double> level,
                  const StepClock& clock, std::uint64_t replay);

/// Say why the feet of the step to come may not be read, or at the end those of the last half a
/// kick, if so: the field is not finite, or they lie outside of the halo. Every rank has the same
/// bounds and says the same.
/// @errors throws std::runtime_error
void check_field(const Settings& settings, const FieldBounds& bounds, const StepClock& clock,
                 std::uint64_t replay);

}  // namespace thalweg::vlasov
