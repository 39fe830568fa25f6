// SPDX-License-Identifier: MIT
#include "scalar_scheme_impl.hpp"

namespace thalweg::hydro {
template GasScheme<1, 1> scalar_scheme<1, 1>(const io::Deck&);
template GasScheme<1, 2> scalar_scheme<1, 2>(const io::Deck&);
}  // namespace thalweg::hydro
