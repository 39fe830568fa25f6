// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>

#include <thalweg/core/box.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/hydro/euler.hpp>
#include <thalweg/numerics/cell_context.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::hydro {

/// Makes cell averages of the conserved state from the primitive one at points.
///
/// Gauss's rule with three points along each axis: of order six where the state is smooth.
/// @source Abramowitz and Stegun, table 25.4   @verified averages_test.cpp
template <int D, EquationOfState Eos, std::invocable<const Vec<D>&> AtPoint>
struct Averages {
  Euler<D, Eos> gas;
  AtPoint at_point;

  typename Euler<D>::State operator()(const numerics::CellContext<D>& cell) const {
    constexpr std::array<double, 3> offset{-0.38729833462074170, 0.0, 0.38729833462074170};
    constexpr std::array<double, 3> weight{5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    typename Euler<D>::State mean{};
    for_each(Box<D>::cube(3), [&](const Index<D>& sample) {
      Vec<D> x = cell.centre;
      double share = 1;
      for (int a = 0; a < D; ++a) {
        x[a] += offset[static_cast<std::size_t>(sample[a])] * cell.dx[a];
        share *= weight[static_cast<std::size_t>(sample[a])];
      }
      mean = numerics::map_components([=](double sum, double u) { return sum + share * u; }, mean,
                                      gas.to_conserved(at_point(x)));
    });
    return mean;
  }
};

/// The cell averages of a gas whose primitive state is at_point(x).
template <int D, class Eos, class AtPoint>
Averages<D, Eos, AtPoint> averages_of(const Euler<D, Eos>& gas, AtPoint at_point) {
  return {gas, at_point};
}

}  // namespace thalweg::hydro
