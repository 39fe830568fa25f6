// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/app/simulation.hpp>
#include <thalweg/hydro/setup.hpp>

namespace thalweg::hydro {

/// Gas dynamics on an adaptive mesh.
template <int D>
using Simulation = app::Simulation<GasScheme<D>>;

}  // namespace thalweg::hydro

// Compiled once, in simulation_*d.cpp: the kernels take the compiler a while.
extern template class thalweg::app::Simulation<thalweg::hydro::GasScheme<1>>;
extern template class thalweg::app::Simulation<thalweg::hydro::GasScheme<2>>;
extern template class thalweg::app::Simulation<thalweg::hydro::GasScheme<3>>;
