// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/app/simulation.hpp>
#include <thalweg/hydro/setup.hpp>

namespace thalweg::hydro {

/// Gas dynamics on an adaptive mesh, with N passive scalars.
template <int D, int N = 0>
using Simulation = app::Simulation<GasScheme<D, N>>;

}  // namespace thalweg::hydro

// Compiled once, in simulation_*.cpp: the kernels take the compiler a while.
extern template class thalweg::app::Simulation<thalweg::hydro::GasScheme<1>>;
extern template class thalweg::app::Simulation<thalweg::hydro::GasScheme<2>>;
extern template class thalweg::app::Simulation<thalweg::hydro::GasScheme<3>>;
extern template class thalweg::app::Simulation<thalweg::hydro::GasScheme<1, 1>>;
extern template class thalweg::app::Simulation<thalweg::hydro::GasScheme<1, 2>>;
extern template class thalweg::app::Simulation<thalweg::hydro::GasScheme<2, 1>>;
extern template class thalweg::app::Simulation<thalweg::hydro::GasScheme<2, 2>>;
extern template class thalweg::app::Simulation<thalweg::hydro::GasScheme<3, 1>>;
extern template class thalweg::app::Simulation<thalweg::hydro::GasScheme<3, 2>>;
