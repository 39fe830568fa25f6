// SPDX-License-Identifier: MIT
// HLLC for a system without a contact wave: the compiler names the function that is missing. Where
// no solver is named there is one for it.
#include <thalweg/numerics/scheme.hpp>

struct Carried {
  static constexpr int dim = 1;
  static constexpr int n_components = 1;
  struct State {
    double q;
  };
  using Primitive = State;

  Primitive to_primitive(State u) const { return u; }
  State to_conserved(Primitive w) const { return w; }
  State flux(Primitive w, int) const { return w; }
  thalweg::numerics::Speeds riemann_speeds(Primitive, Primitive, int) const { return {1.0, 1.0}; }
  double max_speed(Primitive, int) const { return 1.0; }
  bool admissible(State) const { return true; }
  bool passes_floor(State, Primitive) const { return true; }
  State mirror(State u, int) const { return u; }
};

#ifdef THALWEG_RIGHT
thalweg::numerics::Vl2<Carried> scheme;
#else
thalweg::numerics::Vl2<Carried, thalweg::numerics::PlmVanLeer, thalweg::numerics::RiemannHllc>
    scheme;
#endif
