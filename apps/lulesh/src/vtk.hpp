// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <thalweg/app/context.hpp>
#include <thalweg/core/error.hpp>

#include "state.hpp"

namespace thalweg::lulesh {

/// Write the mesh, energy, pressure, viscosity, relative volume, sound speed, regions and velocity
/// for ParaView and VisIt: lulesh_CYCLE.pvtu, and its parts of some ranks each, as VTK's XML
/// files of unstructured grids. Collective.
/// @param n_files  of parts, 1 .. number of ranks
/// @errors on all ranks alike
Result<void> write_vtk(const app::Context& context, const std::string& folder, int n_files,
                       const State& state);

}  // namespace thalweg::lulesh
