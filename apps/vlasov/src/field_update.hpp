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

/// Charge and current of a slab, of its sums along v. @param sums  of f, then of v f [2 size]
void update_moments(const Settings& settings, SlabField& field, std::span<const double> sums);

/// The field of a slab on its root, and the one that is predicted for the end of the step to come:
/// into the middle of the window, and its end.
/// @param scans  of each column of the slab
void update_field(const Settings& settings, const Layout& layout, SlabField& field,
                  std::span<const ScanSums> scans, std::span<const double> level,
                  const StepClock& clock, std::uint64_t replay);

/// Say why the feet of the step to come may not be read, if so: the field is not finite, or they
/// lie outside of the halo. Every rank of a slab has the same field and says the same.
/// @errors throws std::runtime_error
void check_field(const Settings& settings, const SlabField& field, const StepClock& clock,
                 std::uint64_t replay);

}  // namespace thalweg::vlasov
