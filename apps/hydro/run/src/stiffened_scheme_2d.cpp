// SPDX-License-Identifier: MIT
#include "stiffened_scheme_impl.hpp"

template thalweg::hydro::GasScheme<2> thalweg::hydro::stiffened_scheme<2>(const thalweg::io::Deck&);
