// SPDX-License-Identifier: MIT
#include "derived_fields.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/dimensions.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::hydro {

namespace {

/// A field of one number for the primitive state of a cell.
template <int D, class Of>
app::DerivedField<D> cell_field(std::string name, std::string unit, const Gas<D>& gas, Of of) {
  return {.name = std::move(name),
          .unit = std::move(unit),
          .compute = app::compute_cells<GasState<D>, D>(
              [gas, of](const auto&, const auto& here) { return of(gas.to_primitive(here())); })};
}

template <int D>
app::DerivedField<D> vorticity(const Gas<D>& gas) {
  return {.name = "vorticity",
          .unit = "1/time",
          .reads = app::Reads::neighbours,
          .compute = app::compute_cells<GasState<D>, D>([gas](const auto& cell, const auto& here) {
            // The change of velocity b along axis a.
            const auto slope = [&](int a, int b) {
              const double above = gas.to_primitive(here(a, 1)).vel[b];
              const double below = gas.to_primitive(here(a, -1)).vel[b];
              return (above - below) / (2.0 * cell.dx[a]);
            };
            const double z = slope(0, 1) - slope(1, 0);
            if constexpr (D == 2) {
              return z;
            } else {
              const double x = slope(1, 2) - slope(2, 1), y = slope(2, 0) - slope(0, 2);
              return std::sqrt(x * x + y * y + z * z);
            }
          })};
}

/// The share of passive scalar k in the mass.
template <int D>
app::DerivedField<D> share_of_scalar(int k) {
  return {
      .name = fmt::format("X{}", k),
      .unit = "",
      .group = "scalars",
      .compute = [c = Euler<D>::n_components + k](const auto&, const View<const double, D>& cells,
                                                  const Box<D>& valid, const View<double, D>& out) {
        for_each(valid, [&](const Index<D>& i) { out[0, i] = cells[c, i] / cells[0, i]; });
      }};
}

}  // namespace

template <int D>
std::vector<app::DerivedField<D>> derived_fields(const Gas<D>& gas, int n_scalars) {
  using Primitive = GasPrimitive<D>;
  std::vector<app::DerivedField<D>> fields{
      cell_field("pressure", "pressure", gas, [](const Primitive& w) { return w.p; }),
      cell_field("mach", "", gas, [gas](const Primitive& w) {
        return std::sqrt(dot(w.vel, w.vel)) / gas.sound_speed(w);
      })};
  auto kinetic = cell_field("kinetic_energy", "energy/volume", gas,
                            [](const Primitive& w) { return 0.5 * w.rho * dot(w.vel, w.vel); });
  kinetic.integral_unit = "energy";
  fields.push_back(std::move(kinetic));
  const auto add_to_plotfiles = [&](app::DerivedField<D> field) {
    field.is_in_series = false;
    fields.push_back(std::move(field));
  };
  for (int a = 0; a < D; ++a) {
    auto velocity = cell_field(fmt::format("{}_velocity", axis_name(a)), "velocity", gas,
                               [a](const Primitive& w) { return w.vel[a]; });
    velocity.group = "velocity";
    add_to_plotfiles(std::move(velocity));
  }
  add_to_plotfiles(cell_field("sound_speed", "velocity", gas,
                              [gas](const Primitive& w) { return gas.sound_speed(w); }));
  add_to_plotfiles(cell_field("temperature", "pressure/density", gas, [gas](const Primitive& w) {
    return (w.p - gas.eos.least_pressure()) / w.rho;
  }));
  add_to_plotfiles(cell_field("internal_energy", "energy/mass", gas, [gas](const Primitive& w) {
    return gas.eos.inner_energy(w.rho, w.p) / w.rho;
  }));
  for (int k = 0; k < n_scalars; ++k) fields.push_back(share_of_scalar<D>(k));
  if constexpr (D > 1) fields.push_back(vorticity(gas));
  return fields;
}

#define THALWEG_INSTANTIATE(D) \
  template std::vector<app::DerivedField<D>> derived_fields(const Gas<D>&, int)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::hydro
