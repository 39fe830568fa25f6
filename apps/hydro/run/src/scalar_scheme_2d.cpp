// SPDX-License-Identifier: MIT
#include "scalar_scheme_impl.hpp"

namespace thalweg::hydro {
template GasScheme<2, 1> scalar_scheme<2, 1>(const io::Deck&);
template GasScheme<2, 2> scalar_scheme<2, 2>(const io::Deck&);
}  // namespace thalweg::hydro
