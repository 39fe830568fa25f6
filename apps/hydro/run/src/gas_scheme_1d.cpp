// SPDX-License-Identifier: MIT
#include "gas_scheme_impl.hpp"

template thalweg::hydro::GasScheme<1> thalweg::hydro::gas_scheme<1>(const thalweg::io::Deck&);
