// SPDX-License-Identifier: MIT
// Sides of a face that meet in a function that is not const, so that no scheme could call it.
#include <thalweg/numerics/conservation_law.hpp>
#include <thalweg/numerics/signal.hpp>

struct Depth {
  double h;
};

struct Layer : thalweg::numerics::ConservationLaw<Layer, 1, Depth> {
  Depth flux(Depth, int) const { return {0}; }
  thalweg::numerics::Speeds speeds(Depth, int) const { return {0, 0}; }
#ifdef THALWEG_RIGHT
  void meet(Depth& l, Depth& r) const { l.h = r.h; }
#else
  void meet(Depth& l, Depth& r) { l.h = r.h; }
#endif
};

double signal(thalweg::numerics::ConstView<1> u) {
  return thalweg::numerics::max_signal(Layer{}, u, {{{0}}, {{1}}}, {{1.0}});
}
