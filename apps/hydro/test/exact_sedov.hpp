// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <numbers>

#include <thalweg/core/contract.hpp>
#include <thalweg/hydro/euler.hpp>

namespace thalweg::hydro::test {

/// The solution in terms of a parameter s > 0 that grows from the centre, where it is zero, to the
/// shock: s = c V - 1 in the notation of Kamm and Timmes, whose V leaves no digits near the centre.
class Similarity {
 public:
  static constexpr double j = 3;  // spherical

  explicit Similarity(double gamma) : gamma_(gamma) {
    a2_ = (1 - gamma) / (2 * (gamma - 1) + j);
    a1_ = (j + 2) * gamma / (2 + j * (gamma - 1)) *
          (2 * j * (2 - gamma) / (gamma * (j + 2) * (j + 2)) - a2_);
    a3_ = j / (2 * (gamma - 1) + j);
    a4_ = a1_ * (j + 2) / (2 - gamma);
    a5_ = -2 / (2 - gamma);
  }

  double s_at_shock() const { return (gamma_ - 1) / (gamma_ + 1); }
  /// Radius over the shock's.
  double lambda(double s) const {
    return std::pow(x1(s), -0.4) * std::pow(x2(s), -a2_) * std::pow(x3(s), -a1_);
  }
  /// Density, velocity and pressure over those just behind the shock.
  Euler<1>::Primitive state(double s) const {
    return {
        .rho = std::pow(x2(s), a3_) * std::pow(x3(s), a4_) * std::pow(x4(s), a5_),
        .vel = {{x1(s) * lambda(s)}},
        .p = std::pow(x1(s), 0.4 * j) * std::pow(x3(s), a4_ - 2 * a1_) * std::pow(x4(s), 1 + a5_)};
  }

 private:
  double v(double s) const { return 2 * (1 + s) / ((j + 2) * gamma_); }
  double x1(double s) const { return 0.25 * (j + 2) * (gamma_ + 1) * v(s); }
  double x2(double s) const { return (gamma_ + 1) / (gamma_ - 1) * s; }
  double x3(double s) const {
    const double full = (j + 2) * (gamma_ + 1);
    const double e = 0.5 * (2 + j * (gamma_ - 1));
    return full / (full - 4 * e) * (1 - e * v(s));
  }
  double x4(double s) const { return (gamma_ + 1) / (gamma_ - 1) * (1 - 0.5 * (j + 2) * v(s)); }

  double gamma_;
  double a1_, a2_, a3_, a4_, a5_;
};

/// The similarity solution of a spherical point explosion in a uniform cold gas at rest.
///
/// For the standard case, 1 < gamma < 7: the gas reaches to the centre.
/// @source Sedov (1959); Kamm and Timmes, LA-UR-07-2849 (2007), sec. 2 and 3, with j = 3, omega = 0
class ExactSedov {
 public:
  struct Config {
    double gamma = 1.4;
    double energy = 1.0;  ///< of the explosion
    double rho = 1.0;     ///< of the gas around
  };

  /// @cost a few thousand evaluations, for the integral of the energy
  explicit ExactSedov(const Config& config);

  /// @pre time > 0
  double shock_radius(double time) const;
  /// Density, radial velocity and pressure at a radius and a time. The pressure outside is zero.
  /// @pre radius >= 0 and time > 0   @cost one bisection inside the shock
  Euler<1>::Primitive at(double radius, double time) const;
  /// The energy of the explosion over rho R^5 / t^2, R the radius of the shock.
  double alpha() const { return alpha_; }

 private:
  /// Density, velocity and pressure over those just behind the shock.
  Euler<1>::Primitive behind_shock(double radius_over_shock) const;

  Config config_;
  double alpha_ = 1;
};

inline ExactSedov::ExactSedov(const Config& config) : config_(config) {
  THALWEG_EXPECT(config.gamma > 1 && config.gamma < 7, "not the standard case");
  // E = 4 pi R^3 (rho_2 u_2^2 / 2 int g f^2 l^2 dl + p_2 / (gamma - 1) int h l^2 dl), midpoints.
  constexpr int n = 4000;
  const double g = config.gamma;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double l = (i + 0.5) / n;
    const auto w = behind_shock(l);
    sum += (w.rho * w.vel[0] * w.vel[0] + w.p) * l * l / n;
  }
  // With u_2 = 2 U / (g + 1) and so on both terms have the same factor; U = 2 R / (5 t).
  alpha_ = 4 * std::numbers::pi * sum * 2 / ((g + 1) * (g - 1)) * 4 /
           ((Similarity::j + 2) * (Similarity::j + 2));
}

inline double ExactSedov::shock_radius(double time) const {
  return std::pow(config_.energy * time * time / (alpha_ * config_.rho), 1.0 / (Similarity::j + 2));
}

inline Euler<1>::Primitive ExactSedov::at(double radius, double time) const {
  const double shock = shock_radius(time);
  if (radius > shock) return {.rho = config_.rho, .vel = {}, .p = 0};
  const double g = config_.gamma;
  const double speed = 2 * shock / ((Similarity::j + 2) * time);
  const auto w = behind_shock(radius / shock);
  return {.rho = w.rho * config_.rho * (g + 1) / (g - 1),
          .vel = (2 * speed / (g + 1)) * w.vel,
          .p = w.p * 2 * config_.rho * speed * speed / (g + 1)};
}

inline Euler<1>::Primitive ExactSedov::behind_shock(double radius_over_shock) const {
  const Similarity solution(config_.gamma);
  // lambda grows with s as a small power of it: bisect its logarithm.
  double low = -700;
  double high = std::log(solution.s_at_shock());
  for (int n = 0; n < 60; ++n) {
    const double middle = 0.5 * (low + high);
    (solution.lambda(std::exp(middle)) < radius_over_shock ? low : high) = middle;
  }
  return solution.state(std::exp(high));
}

}  // namespace thalweg::hydro::test
