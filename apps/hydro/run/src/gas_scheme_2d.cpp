// SPDX-License-Identifier: MIT
#include "gas_scheme_impl.hpp"

template thalweg::hydro::GasScheme<2> thalweg::hydro::gas_scheme<2>(const thalweg::io::Deck&);
