// SPDX-License-Identifier: MIT
#pragma once
#include <functional>

#include <thalweg/app/context.hpp>
#include <thalweg/app/problem.hpp>
#include <thalweg/app/simulation.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/scheme.hpp>

#include "../../numerics/test/advection.hpp"
#include "made.hpp"

namespace thalweg::app::testing {

using Carried =
    numerics::Vl2<numerics::test::Advection<2>, numerics::PlmVanLeer, numerics::RiemannHlle>;

/// A dense spot that a wind carries through a periodic box, with fine blocks around it.
Problem<Carried> carried_spot();

Settings<2> settings();

/// Run a program on virtual ranks that share a file system.
Result<void> on_ranks(int n_ranks, io::FileSystem& files,
                      const std::function<void(const Context&)>& program,
                      const Execution& execution = {});

}  // namespace thalweg::app::testing

// Compiled once for all tests, in carried.cpp.
extern template class thalweg::app::Simulation<thalweg::app::testing::Carried>;
