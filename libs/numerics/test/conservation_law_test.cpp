// SPDX-License-Identifier: MIT
#include <thalweg/numerics/conservation_law.hpp>

#include <limits>

#include <gtest/gtest.h>

#include <thalweg/numerics/face_flux.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/signal.hpp>

namespace thalweg::numerics {
namespace {

struct Velocity {
  double u;
};

/// The shortest system there can be.
struct Burgers : ConservationLaw<Burgers, 1, Velocity> {
  constexpr Velocity flux(Velocity w, int) const { return {0.5 * w.u * w.u}; }
  constexpr Speeds speeds(Velocity w, int) const { return {w.u, w.u}; }
};
static_assert(HyperbolicSystem<Burgers> && !ContactSystem<Burgers> && !WalledSystem<Burgers>);
static_assert(std::same_as<Vl2<Burgers>::Riemann, RiemannHlle>);
static_assert(Burgers{}.max_speed({-4.0}, 0) == 4.0, "what is added is constexpr, too");

TEST(ConservationLaw, says_what_a_system_leaves_out) {
  const Burgers burgers;
  EXPECT_EQ(burgers.to_conserved(burgers.to_primitive({3.0})).u, 3.0);
  EXPECT_EQ(burgers.riemann_speeds({2.0}, {-1.0}, 0).lo, -1.0);
  EXPECT_EQ(burgers.riemann_speeds({2.0}, {-1.0}, 0).hi, 2.0);
  EXPECT_EQ(burgers.max_speed({-4.0}, 0), 4.0);
  EXPECT_TRUE(burgers.admissible({1e300}));
  EXPECT_FALSE(burgers.admissible({std::numeric_limits<double>::quiet_NaN()}));
  EXPECT_FALSE(burgers.admissible({std::numeric_limits<double>::infinity()}));
  EXPECT_EQ(admissible_states_of<Burgers>, "finite numbers");
  EXPECT_EQ(and_finite(admissible_states_of<Burgers>), "finite numbers");
  EXPECT_EQ(and_finite("a depth above 0"), "a depth above 0, and all numbers be finite");
}

struct Moving {
  double rho;
  Vec<1> mom;
};
struct Streaming : ConservationLaw<Streaming, 1, Moving> {
  Moving flux(Moving w, int) const { return {w.mom[0], {w.rho}}; }
  Speeds speeds(Moving, int) const { return {-1, 1}; }
};
static_assert(WalledSystem<Streaming>);

TEST(ConservationLaw, turns_momentum_at_a_wall) {
  const Moving seen = Streaming{}.mirror({2.0, {3.0}}, 0);
  EXPECT_EQ(seen.rho, 2.0);
  EXPECT_EQ(seen.mom[0], -3.0);
}

// Two doubles and two floats are as long as three doubles.
struct HalfAsLong {
  double h;
  double hu;
  float hv;
  float hw;
};
struct WithFloats : ConservationLaw<WithFloats, 1, HalfAsLong> {
  HalfAsLong flux(HalfAsLong w, int) const { return w; }
  Speeds speeds(HalfAsLong, int) const { return {-1, 1}; }
};
static_assert(!HyperbolicSystem<WithFloats>);

struct Layer {
  double h;
  double bed;
};

/// A system with a coefficient, whose states meet at the higher bed.
struct OverABed : ConservationLaw<OverABed, 1, Layer> {
  static constexpr int n_coefficients = 1;
  Layer flux(Layer w, int) const { return {w.h, 7.0}; }
  Speeds speeds(Layer, int) const { return {-1, 1}; }
  void meet(Layer& l, Layer& r) const { l.bed = r.bed = std::max(l.bed, r.bed); }
};

TEST(FaceFlux, gives_coefficients_none) {
  const auto flux = face_flux<RiemannHlle>(OverABed{}, Layer{2, 0}, Layer{4, 1}, 0);
  EXPECT_EQ(flux.bed, 0.0);
  EXPECT_EQ(flux.h, 0.5 * (2 + 4) - 0.5 * (4 - 2));
}

TEST(FaceFlux, lets_states_meet_first) {
  struct Difference {
    static Layer flux(const OverABed&, Layer l, Layer r, int) { return {r.bed - l.bed, 0}; }
  };
  EXPECT_EQ(face_flux<Difference>(OverABed{}, Layer{2, 0}, Layer{4, 1}, 0).h, 0.0);
}

TEST(Signal, is_larger_with_diffusion) {
  struct Diffusing : ConservationLaw<Diffusing, 1, Velocity> {
    Velocity flux(Velocity w, int) const { return w; }
    Speeds speeds(Velocity, int) const { return {1, 1}; }
    Velocity diffusive_flux(Velocity below, Velocity above, double dx, int) const {
      return {-0.5 * (above.u - below.u) / dx};
    }
    double diffusivity = 0.5;
  };
  double cells[4] = {1, 1, 1, 1};
  const View<const double, 1> u(cells, Box<1>{{}, {{4}}}, 1);
  // 1 / dx + 2 k / dx^2
  EXPECT_EQ(max_signal(Diffusing{}, u, u.box(), Vec<1>{{0.25}}), 4.0 + 16.0);
}

}  // namespace
}  // namespace thalweg::numerics
