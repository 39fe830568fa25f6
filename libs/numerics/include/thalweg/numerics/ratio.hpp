// SPDX-License-Identifier: MIT
#pragma once
#include <type_traits>

#include <thalweg/core/contract.hpp>

namespace thalweg::numerics {

/// Call f with a refinement ratio, 2 or 4, as a compile-time constant.
template <class F>
void with_ratio(int ratio, F&& f) {
  THALWEG_EXPECT(ratio == 2 || ratio == 4, "the refinement ratio must be 2 or 4");
  if (ratio == 2)
    f(std::integral_constant<int, 2>{});
  else
    f(std::integral_constant<int, 4>{});
}

}  // namespace thalweg::numerics
