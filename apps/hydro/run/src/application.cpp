// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>
#include <vector>

#include <thalweg/hydro/application.hpp>
#include <thalweg/hydro/gas_scheme.hpp>
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/hydro/setup.hpp>

#include "criteria.hpp"

namespace thalweg::hydro {

namespace {

using Reals = std::vector<double>;
using io::Range;

std::vector<io::Parameter> parameters() {
  std::vector<io::Parameter> all = {
      {.name = "problem.gamma",
       .default_value = 1.4,
       .range = Range::above(1),
       .doc = "Ratio of specific heats."},
      {.name = "hydro.scheme",
       .default_value = "vl2",
       .choices = {"vl2", "rk2", "rk3", "ctu"},
       .doc = "Time integration: predictor-corrector (van Leer), Runge-Kutta of order 2 or 3, "
              "corner transport upwind."},
      {.name = "hydro.reconstruction",
       .default_value = "plm",
       .choices = {"plm", "ppm", "ppm_classic"},
       .doc = "Piecewise linear (not ctu), or piecewise parabolic with smooth extrema kept or "
              "clipped."},
      {.name = "hydro.riemann",
       .default_value = "hllc",
       .choices = {"hllc", "hlle", "llf", "roe", "exact", "two_shock"},
       .doc = "Riemann solver; two_shock goes with ctu only, exact is slow."},
      {.name = "hydro.flattening",
       .default_value = true,
       .doc = "Flattening of the parabolas at strong shocks, in ctu."},
      {.name = "hydro.viscosity",
       .default_value = 0.1,
       .range = Range::between(0, 1),
       .doc = "Coefficient of artificial viscosity where the flow converges, in ctu; 0: none."},
      {.name = "hydro.eos",
       .default_value = "gamma_law",
       .choices = {"gamma_law", "stiffened"},
       .doc = "Equation of state: p = (gamma - 1) rho e, less gamma p_infinity if stiffened, as "
              "liquids are."},
      {.name = "hydro.p_infinity",
       .default_value = 0.0,
       .unit = "pressure",
       .range = Range::at_least(0),
       .doc = "Pressure constant of a stiffened gas."},
      {.name = "hydro.scalars",
       .default_value = std::int64_t{0},
       .range = Range::between(0, max_scalars),
       .doc = "Number of passive scalars, as shares of the mass."},
      {.name = "source.gravity",
       .default_value = Reals{0, 0, 0},
       .unit = "acceleration",
       .length = {1, 3},
       .doc = "Constant gravitational acceleration."},
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

}  // namespace

app::Application application() {
  return {.name = "hydro",
          .doc = "Compressible gas dynamics: the Euler equations.",
          .parameters = parameters(),
          .problems = problems(),
          .derived = {"pressure", "mach", "vorticity", "scalars"},
          .set_up = [](const io::Deck& deck) {
            return with_dimensions(
                deck, [&]<int D, int N>() { return app::any_setup(set_up<D, N>(deck)); });
          }};
}

}  // namespace thalweg::hydro
