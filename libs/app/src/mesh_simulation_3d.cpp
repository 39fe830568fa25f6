// SPDX-License-Identifier: MIT
#include "mesh_simulation_members.hpp"
#include "mesh_simulation_memory.hpp"
#include "mesh_simulation_output.hpp"

template class thalweg::app::MeshSimulation<3>;
