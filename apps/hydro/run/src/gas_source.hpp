// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/core/vec.hpp>
#include <thalweg/hydro/gravity.hpp>
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/step/source_terms.hpp>

namespace thalweg::hydro {

/// What acts on a gas but its own pressure: gravity, and what a problem says. Models
/// step::SourceTerms.
///
/// Half of gravity, the midpoint rule for the problem's rate, half of gravity: of second order in
/// dt together; gravity alone is exact.
template <int D>
struct GasSource {
  Gravity<D> gravity{};
  decltype(GasProblem<D>::source) rate{};  ///< none: gravity alone
  mesh::Geometry<D> geometry{};

  void operator()(const View<double, D>& cells, const Box<D>& region,
                  const step::SourceStep& step) const {
    if (!rate) return gravity(cells, region, step.dt);
    const auto stride = cells.component_stride();
    for_each(region, [&](const Index<D>& i) {
      double* const q = cells.at(0, i);
      const auto u = numerics::load<GasState<D>>(q, stride);
      numerics::store(advanced(u, centre(step.level, i), step), q, stride);
    });
  }

 private:
  GasState<D> advanced(GasState<D> u, const Vec<D>& x, const step::SourceStep& step) const {
    const auto moved = [](const GasState<D>& from, double dt, const GasState<D>& per_time) {
      return numerics::map_components([=](double a, double s) { return a + dt * s; }, from,
                                      per_time);
    };
    const double half = 0.5 * step.dt;
    u = gravity(u, half);
    const auto middle = moved(u, half, rate(x, step.time, u));
    u = moved(u, step.dt, rate(x, step.time + half, middle));
    return gravity(u, half);
  }
  // A ghost cell across a periodic boundary lies where the cell does that it is a copy of.
  Vec<D> centre(int level, Index<D> cell) const {
    const Index<D> n = geometry.domain_cells(level).hi;
    for (int a = 0; a < D; ++a)
      if (geometry.is_periodic(a)) cell[a] -= n[a] * floor_div(cell[a], n[a]);
    return geometry.centre(level, cell);
  }
};

}  // namespace thalweg::hydro
