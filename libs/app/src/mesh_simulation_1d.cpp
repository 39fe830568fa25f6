// SPDX-License-Identifier: MIT
#include "mesh_simulation_members.hpp"

template class thalweg::app::MeshSimulation<1>;
