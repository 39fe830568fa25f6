// SPDX-License-Identifier: MIT
#include "scalar_scheme_impl.hpp"

namespace thalweg::hydro {
template GasScheme<3, 1> scalar_scheme<3, 1>(const io::Deck&);
template GasScheme<3, 2> scalar_scheme<3, 2>(const io::Deck&);
}  // namespace thalweg::hydro
