// SPDX-License-Identifier: MIT
#include <thalweg/advection/application.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <thalweg/advection/advection.hpp>
#include <thalweg/app/read_setup.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>

namespace thalweg::advection {

using io::Range, io::changeable, io::real;

app::Application application() {
  const std::vector<std::string> sides(3, "periodic");
  return {
      .name = "advection",
      .doc = "Advection and diffusion of a Gaussian in a uniform flow.",
      .parameters =
          {io::vector("advection.velocity", {1, 0, 0}, "velocity", "Velocity of the flow."),
           real("advection.diffusivity", 0, "length^2/time", "Diffusivity.", Range::at_least(0)),
           io::vector("pulse.centre", {0.5, 0.5, 0.5}, "length", "Its centre at the start."),
           real("pulse.sigma", 0.05, "length", "Its standard deviation.", Range::above(0)),
           changeable(
               real("regrid.jump", 0.05, "", "Refine where u changes by more.", Range::above(0)))},
      .defaults = {{"boundary.lower", sides}, {"boundary.upper", sides}},
      .set_up = app::set_up_in<1, 2, 3>([]<int D>(app::DeckReader<D>& deck) {
        const Advection<D> equation{
            {}, deck.reals("advection.velocity"), deck.real("advection.diffusivity")};
        const Pulse<D> pulse{equation, deck.reals("pulse.centre"), deck.periods(),
                             deck.real("pulse.sigma")};
        const auto is_steep = [jump = deck.real("regrid.jump")](const auto&, const auto& u) {
          return u.any_neighbour([&](Scalar v) { return std::abs(v.u - u().u) > jump; });
        };
        return app::ProblemSetup<numerics::RungeKutta<Advection<D>>>{
            .problem = {.scheme = {.system = equation, .order = 3},
                        .initial = pulse,
                        .tag = is_steep,
                        .fields = {{.name = "u", .units = {"volume"}}}},
            .scheme_name = "advection rk3 ppm"};
      })};
}

}  // namespace thalweg::advection
