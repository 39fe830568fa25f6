// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics::detail {

/// A state that had to be admissible.
template <class Primitive>
struct Guarded {
  Primitive state;
  bool is_own;  ///< not replaced
};

/// The state, or where it is not good another.
template <class Primitive>
constexpr Guarded<Primitive> guarded(bool is_good, const Primitive& state, const Primitive& other) {
  return {map_components([=](double a, double b) { return is_good ? a : b; }, state, other),
          is_good};
}

}  // namespace thalweg::numerics::detail
