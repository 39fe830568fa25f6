// SPDX-License-Identifier: MIT
#include <thalweg/hydro/setup.hpp>

template class thalweg::app::Simulation<thalweg::hydro::GasScheme<3, 1>>;
template class thalweg::app::Simulation<thalweg::hydro::GasScheme<3, 2>>;
