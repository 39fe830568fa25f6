// SPDX-License-Identifier: MIT
#pragma once
#include <type_traits>

#include <thalweg/core/view.hpp>

namespace thalweg::numerics {

/// A view for reading, as a parameter: takes views for writing too, and D from the other arguments.
template <int D>
using ConstView = std::type_identity_t<View<const double, D>>;

}  // namespace thalweg::numerics
