// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <thalweg/app/derived.hpp>
#include <thalweg/hydro/deck_gas.hpp>
#include <thalweg/io/time_series.hpp>

namespace thalweg::hydro {

/// Pressure, Mach number and the shares of passive scalars: what can be said of a cell alone.
template <int D>
std::vector<app::DerivedField<D>> cell_fields(const Gas<D>& gas, int n_scalars);

/// The fields of these names, in this order; "scalars" are as many as there are. vorticity is dv/dx
/// - du/dy in two dimensions, the length of the curl of the velocity in three, from central
/// differences.
/// @pre no vorticity in one dimension
template <int D>
std::vector<app::DerivedField<D>> chosen_fields(const std::vector<std::string>& names,
                                                const Gas<D>& gas, int n_scalars);

/// The columns of series.csv after the step: time, dt, then of each component its total and
/// extrema, and of each field its extrema.
template <int D>
std::vector<io::Column> series_columns(const std::vector<std::string>& component_names,
                                       const std::vector<app::DerivedField<D>>& fields);

}  // namespace thalweg::hydro
