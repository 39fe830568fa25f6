// SPDX-License-Identifier: MIT
#include "gas_scheme_impl.hpp"

template thalweg::hydro::GasScheme<3> thalweg::hydro::gas_scheme<3>(const thalweg::io::Deck&);
