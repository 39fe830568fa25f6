// SPDX-License-Identifier: MIT
#include "mesh_simulation_members.hpp"
#include "mesh_simulation_memory.hpp"
#include "mesh_simulation_output.hpp"
#include "mesh_simulation_regrid.hpp"

template class thalweg::app::MeshSimulation<2>;
