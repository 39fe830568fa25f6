// SPDX-License-Identifier: MIT
#include "stiffened_scheme_impl.hpp"

template thalweg::hydro::GasScheme<3> thalweg::hydro::stiffened_scheme<3>(const thalweg::io::Deck&);
