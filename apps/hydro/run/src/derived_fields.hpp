// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <thalweg/app/derived.hpp>
#include <thalweg/hydro/deck_gas.hpp>

namespace thalweg::hydro {

/// Pressure, Mach number, the shares of passive scalars in the mass (group "scalars"), and but in
/// one dimension vorticity: dv/dx - du/dy in two, the length of the curl of the velocity in three,
/// from central differences.
template <int D>
std::vector<app::DerivedField<D>> derived_fields(const Gas<D>& gas, int n_scalars);

}  // namespace thalweg::hydro
