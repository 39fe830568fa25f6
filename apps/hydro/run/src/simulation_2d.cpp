// SPDX-License-Identifier: MIT
#include <thalweg/hydro/setup.hpp>

template class thalweg::app::Simulation<thalweg::hydro::GasScheme<2>>;
