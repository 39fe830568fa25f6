// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <gtest/gtest.h>

#include <thalweg/hydro/euler.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::hydro {

inline void expect_near(const Euler<3>::State& a, const Euler<3>::State& b, double tolerance) {
  for (std::size_t c = 0; c < Euler<3>::n_components; ++c)
    EXPECT_NEAR(numerics::component(a, c), numerics::component(b, c), tolerance)
        << "component " << c;
}

}  // namespace thalweg::hydro
