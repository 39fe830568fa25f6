// SPDX-License-Identifier: MIT
#include <algorithm>
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
       .doc = "Van Leer's predictor-corrector, lines with Runge-Kutta of order 2 or 3, or corner "
              "transport upwind with tracing."},
      {.name = "hydro.reconstruction",
       .default_value = "plm",
       .choices = {"plm", "ppm", "ppm_classic"},
       .doc = "Lines (not ctu), parabolas that keep smooth extrema, or that clip them."},
      {.name = "hydro.riemann",
       .default_value = "hllc",
       .choices = {"hllc", "hlle", "llf", "roe", "exact", "two_shock"},
       .doc = "Riemann solver; two_shock goes with ctu only, exact is slow."},
      {.name = "hydro.flattening",
       .default_value = true,
       .doc = "Whether ctu lowers its order in strong shocks."},
      {.name = "hydro.viscosity",
       .default_value = 0.1,
       .range = Range::between(0, 1),
       .doc = "Artificial, of ctu, where the flow converges; 0: none."},
      {.name = "hydro.eos",
       .default_value = "gamma_law",
       .choices = {"gamma_law", "stiffened"},
       .doc = "Equation of state: p = (gamma - 1) rho e, less gamma p_infinity if stiffened, as "
              "liquids are; that has hllc and two_shock, and no scalars."},
      {.name = "hydro.p_infinity",
       .default_value = 0.0,
       .unit = "pressure",
       .range = Range::at_least(0),
       .doc = "Of a stiffened gas: what holds it together under tension."},
      {.name = "hydro.scalars",
       .default_value = std::int64_t{0},
       .range = Range::between(0, max_scalars),
       .doc = "Passive scalars that the gas carries, as shares of its mass."},
      {.name = "source.gravity",
       .default_value = Reals{0, 0, 0},
       .unit = "acceleration",
       .length = {1, 3},
       .doc = "Constant acceleration of all gas."},
  };
  const auto criteria = criteria_parameters();
  all.insert(all.end(), criteria.begin(), criteria.end());
  return all;
}

/// All problems, the default first.
std::vector<app::ProblemChoice> problems() {
  std::vector<app::ProblemChoice> all;
  for (auto& [name, file] : problem_files()) all.push_back({name, file.doc, file.parameters});
  std::ranges::stable_partition(all, [](const auto& p) { return p.name == "sedov"; });
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
            return with_dimensions(deck, [&]<int D, int N>() {
              return app::any_setup(set_up<D, N>(deck));
            });
          }};
}

}  // namespace thalweg::hydro
