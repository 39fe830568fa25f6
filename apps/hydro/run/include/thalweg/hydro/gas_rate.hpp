// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <type_traits>
#include <utility>

#include <thalweg/core/vec.hpp>
#include <thalweg/hydro/gravity.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/numerics/cell_context.hpp>
#include <thalweg/numerics/system.hpp>
#include <thalweg/step/cell_functions.hpp>
#include <thalweg/step/source_terms.hpp>

namespace thalweg::hydro {

/// Gravity and a rate of a problem's own together, as a function that step::SourceUpdate takes.
///
/// Half of gravity, the midpoint rule for the rate, half of gravity: of second order in dt.
/// @tparam Rate  rate(CellContext, State) -> State, the change of the state over time
template <int D, class Rate>
struct GravityAndRate {
  Gravity<D> gravity{};
  Rate rate;

  GasState<D> operator()(numerics::CellContext<D> cell, GasState<D> u, double dt) const {
    const auto moved = [](const GasState<D>& from, double by, const GasState<D>& per_time) {
      return numerics::map_components([=](double a, double s) { return a + by * s; }, from,
                                      per_time);
    };
    const double half = 0.5 * dt;
    u = gravity(u, half);
    const auto middle = moved(u, half, rate(cell, u));
    cell.time += half;
    u = moved(u, dt, rate(cell, middle));
    return gravity(u, half);
  }
};

/// How fast a problem's own sources change the gas; what GasProblem::rate holds.
template <int D>
class GasRate {
 public:
  GasRate() = default;
  /// @param rate  rate(CellContext<D>, GasState<D>) -> GasState<D>: a pure function
  template <class Rate>
    requires std::is_invocable_r_v<GasState<D>, const Rate&, const numerics::CellContext<D>&,
                                   const GasState<D>&>
  GasRate(Rate rate)
      : with_gravity_([rate = std::move(rate)](const Gravity<D>& gravity) {
          return step::SourceUpdate<GasState<D>, D>(GravityAndRate<D, Rate>{gravity, rate});
        }) {}

  explicit operator bool() const { return static_cast<bool>(with_gravity_); }
  /// The source terms of this and of gravity.
  step::SourceTerms<D> with(const Gravity<D>& gravity, const mesh::Geometry<D>& geometry) const {
    return with_gravity_(gravity).on(geometry);
  }

 private:
  std::function<step::SourceUpdate<GasState<D>, D>(const Gravity<D>&)> with_gravity_;
};

/// Gravity alone as source terms.
template <int D>
step::SourceTerms<D> source_of(const Gravity<D>& gravity) {
  return [gravity](const View<double, D>& cells, const Box<D>& region,
                   const step::SourceStep& step) { gravity(cells, region, step.dt); };
}

}  // namespace thalweg::hydro
