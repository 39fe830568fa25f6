// SPDX-License-Identifier: MIT
// A state after refluxing that is changed and not returned: the compiler says what is asked for.
#include <thalweg/numerics/conservation_law.hpp>
#include <thalweg/numerics/signal.hpp>

struct Load {
  double a;
};

struct Carried : thalweg::numerics::ConservationLaw<Carried, 1, Load> {
  Load flux(Load, int) const { return {0}; }
  thalweg::numerics::Speeds speeds(Load, int) const { return {0, 0}; }
#ifdef THALWEG_RIGHT
  Load after_reflux(Load before, Load) const { return before; }
#else
  void after_reflux(Load before, Load& after) const { after = before; }
#endif
};

double signal(thalweg::numerics::ConstView<1> u) {
  return thalweg::numerics::max_signal(Carried{}, u, {{{0}}, {{1}}}, {{1.0}});
}
