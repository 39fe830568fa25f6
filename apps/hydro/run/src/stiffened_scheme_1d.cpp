// SPDX-License-Identifier: MIT
#include "stiffened_scheme_impl.hpp"

template thalweg::hydro::GasScheme<1> thalweg::hydro::stiffened_scheme<1>(const thalweg::io::Deck&);
