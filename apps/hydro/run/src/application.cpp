// SPDX-License-Identifier: MIT
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/hydro/application.hpp>
#include <thalweg/hydro/gas_scheme.hpp>
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/hydro/setup.hpp>

#include "criteria.hpp"

namespace thalweg::hydro {

namespace {

using io::Range;

std::vector<io::Parameter> parameters() {
  const io::UsedWith in_ctu{"hydro.scheme", {"ctu"}};
  std::vector<io::Parameter> all = {
      io::real("problem.gamma", 1.4, "", "Ratio of specific heats.", Range::above(1)),
      io::choice("hydro.scheme", "vl2", {"vl2", "rk2", "rk3", "ctu"},
                 "Time integration: predictor-corrector (van Leer), Runge-Kutta of order 2 or 3, "
                 "corner transport upwind."),
      io::choice("hydro.reconstruction", "plm", {"plm", "ppm", "ppm_classic"},
                 "Piecewise linear (not ctu), or piecewise parabolic with smooth extrema kept or "
                 "clipped."),
      io::changeable(io::choice(
          "hydro.riemann", "hllc", {"hllc", "lhllc", "hlle", "llf", "roe", "exact", "two_shock"},
          "Riemann solver; lhllc is for low Mach numbers, two_shock goes with ctu "
          "only, exact is slow.")),
      {.name = "hydro.flattening",
       .default_value = true,
       .doc = "Flattening of the parabolas at strong shocks, in ctu.",
       .used_with = in_ctu},
      {.name = "hydro.viscosity",
       .default_value = 0.1,
       .range = Range::between(0, 1),
       .doc = "Coefficient of artificial viscosity where the flow converges, at the domain's sides "
              "too, in ctu; 0: none.",
       .used_with = in_ctu},
      io::choice("hydro.eos", "gamma_law", {"gamma_law", "stiffened"},
                 "Equation of state: p = (gamma - 1) rho e, less gamma p_infinity if stiffened, as "
                 "liquids are."),
      io::real("hydro.p_infinity", 0, "pressure", "Pressure constant of a stiffened gas.",
               Range::at_least(0)),
      io::changeable(io::real(
          "hydro.density_floor", 1e-100, "density",
          "Density floor, applied at constant velocity and temperature; 0: none. The default only "
          "prevents underflow of the density squared.",
          Range::at_least(0))),
      io::boolean("hydro.balanced", false,
                  "Well-balanced gravity: hydrostatic gas between reflecting sides stays at rest "
                  "(not with an outflow below or above; not with hlle, llf)."),
      io::integer("hydro.scalars", 0, "",
                  "Number of passive scalars, as mass fractions; 0 at the start but where the "
                  "problem says otherwise.",
                  Range::between(0, max_scalars)),
      io::boolean("hydro.bounded_scalars", false,
                  "Keep mass fractions of scalars within 0 and 1, by limiting their fluxes."),
      io::vector("source.gravity", {0, 0, 0}, "acceleration",
                 "Constant gravitational acceleration."),
  };
  const auto criteria = criteria_parameters();
  all.insert(all.end(), criteria.begin(), criteria.end());
  return all;
}

std::vector<app::ProblemChoice> problems() {
  std::vector<app::ProblemChoice> all;
  for (auto& [name, file] : problem_files())
    all.push_back({name, file.doc, file.parameters, file.defaults});
  return all;
}

template <int D>
std::unique_ptr<app::AnySetup> set_up_with_scalars(const io::Deck& deck) {
  static_assert(max_scalars == 2);
  switch (deck.integer("hydro.scalars")) {
    case 0:
      return app::any_setup(set_up<D, 0>(deck));
    case 1:
      return app::any_setup(set_up<D, 1>(deck));
    default:
      THALWEG_EXPECT(deck.integer("hydro.scalars") == 2, "a number of scalars");
      return app::any_setup(set_up<D, 2>(deck));
  }
}

}  // namespace

app::Application application() {
  return {.name = "hydro",
          .doc = "Compressible gas dynamics: the Euler equations.",
          .parameters = parameters(),
          .problems = problems(),
          .derived = {"pressure", "mach", "kinetic_energy", "velocity", "x_velocity", "y_velocity",
                      "z_velocity", "sound_speed", "temperature", "internal_energy", "vorticity",
                      "scalars"},
          .set_up = [](const io::Deck& deck) {
            std::unique_ptr<app::AnySetup> made;
            app::in_dimension<1, 2, 3>(deck, [&]<int D>() { made = set_up_with_scalars<D>(deck); });
            return made;
          }};
}

}  // namespace thalweg::hydro
