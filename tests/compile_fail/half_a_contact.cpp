// SPDX-License-Identifier: MIT
// A contact of which one half is missing, so that HLLE would be taken in silence.
#include <thalweg/numerics/conservation_law.hpp>
#include <thalweg/numerics/signal.hpp>

struct Load {
  double a;
};

struct Carried : thalweg::numerics::ConservationLaw<Carried, 1, Load> {
  Load flux(Load, int) const { return {0}; }
  thalweg::numerics::Speeds speeds(Load, int) const { return {0, 0}; }
  double contact_speed(Load, Load, thalweg::numerics::Speeds, int) const { return 0; }
#ifdef THALWEG_RIGHT
  Load star_flux(Load w, double, double, int) const { return w; }
#endif
};

double signal(thalweg::numerics::ConstView<1> u) {
  return thalweg::numerics::max_signal(Carried{}, u, {{{0}}, {{1}}}, {{1.0}});
}
