// SPDX-License-Identifier: MIT
// A diffusive flux of primitive states: the compiler says that it takes conserved ones.
#include <thalweg/numerics/conservation_law.hpp>
#include <thalweg/numerics/signal.hpp>

struct Heat {
  double energy;
};
struct Temperature {
  double t;
};

#ifdef THALWEG_RIGHT
using Diffused = Heat;
#else
using Diffused = Temperature;
#endif

struct Conduction : thalweg::numerics::ConservationLaw<Conduction, 1, Heat> {
  using Primitive = Temperature;
  double diffusivity = 1;

  Temperature to_primitive(Heat u) const { return {u.energy}; }
  Heat to_conserved(Temperature w) const { return {w.t}; }
  Heat flux(Temperature, int) const { return {0}; }
  thalweg::numerics::Speeds riemann_speeds(Temperature, Temperature, int) const { return {0, 0}; }
  double max_speed(Temperature, int) const { return 0; }
  bool admissible(Heat) const { return true; }
  bool admissible(Temperature) const { return true; }
  bool passes_floor(Heat, Temperature) const { return true; }
  Heat diffusive_flux(Diffused, Diffused, double, int) const { return {0}; }
};

double signal(thalweg::numerics::ConstView<1> u) {
  return thalweg::numerics::max_signal(Conduction{}, u, {{{0}}, {{1}}}, {{1.0}});
}
