// SPDX-License-Identifier: MIT
#include <thalweg/hydro/exact_riemann.hpp>

#include <algorithm>
#include <cmath>

#include <thalweg/core/contract.hpp>

namespace thalweg::hydro {

namespace {

/// The change of velocity across one wave as a function of the pressure behind it, and its slope.
struct WaveCurve {
  double change;
  double slope;
};

/// Toro eq. 4.6, 4.7 (shock if p > w.p, else rarefaction) and 4.37.
WaveCurve wave_curve(const Euler<1>& gas, const ExactRiemann::State& w, double p) {
  const double gamma = gas.gamma;
  if (p > w.p) {
    const double a = 2.0 / ((gamma + 1.0) * w.rho);
    const double b = (gamma - 1.0) / (gamma + 1.0) * w.p;
    const double root = std::sqrt(a / (p + b));
    return {(p - w.p) * root, root * (1.0 - 0.5 * (p - w.p) / (b + p))};
  }
  const double c = gas.sound_speed(w);
  const double ratio = p / w.p;
  const double exponent = 0.5 * (gamma - 1.0) / gamma;
  return {2.0 * c / (gamma - 1.0) * (std::pow(ratio, exponent) - 1.0),
          std::pow(ratio, -0.5 * (gamma + 1.0) / gamma) / (w.rho * c)};
}

/// The solution left of the contact at a speed; the right side is this one mirrored.
ExactRiemann::State left_of_contact(const Euler<1>& gas, const ExactRiemann::State& w,
                                    double p_star, double v_star, double speed) {
  const double gamma = gas.gamma;
  const double c = gas.sound_speed(w);
  const double v = w.vel[0];
  const double ratio = p_star / w.p;
  if (p_star > w.p) {  // a shock, eq. 4.50-4.52
    const double g = (gamma - 1.0) / (gamma + 1.0);
    const double shock = v - c * std::sqrt(0.5 / gamma * ((gamma + 1.0) * ratio + gamma - 1.0));
    if (speed <= shock) return w;
    return {w.rho * (ratio + g) / (g * ratio + 1.0), {{v_star}}, p_star};
  }
  const double head = v - c;  // a rarefaction, eq. 4.53-4.56
  const double tail = v_star - c * std::pow(ratio, 0.5 * (gamma - 1.0) / gamma);
  if (speed <= head) return w;
  if (speed >= tail) return {w.rho * std::pow(ratio, 1.0 / gamma), {{v_star}}, p_star};
  const double c_fan = 2.0 / (gamma + 1.0) * (c + 0.5 * (gamma - 1.0) * (v - speed));
  const double scale = c_fan / c;
  return {w.rho * std::pow(scale, 2.0 / (gamma - 1.0)),
          {{speed + c_fan}},
          w.p * std::pow(scale, 2.0 * gamma / (gamma - 1.0))};
}

/// The same state with the axis turned round.
ExactRiemann::State turned(ExactRiemann::State w) {
  w.vel[0] = -w.vel[0];
  return w;
}

}  // namespace

ExactRiemann::ExactRiemann(Euler<1> gas, State left, State right)
    : gas_(gas), left_(left), right_(right) {
  const double dv = right.vel[0] - left.vel[0];
  THALWEG_EXPECT(2.0 / (gas.gamma - 1.0) * (gas.sound_speed(left) + gas.sound_speed(right)) > dv,
                 "a vacuum arises between the states");
  // Newton's method on f(p) = f_l(p) + f_r(p) + v_r - v_l, increasing and concave: from below the
  // root it converges steadily, so start there; the bound keeps the pressure positive.
  constexpr int n_most = 100;
  constexpr double tolerance = 1e-14;
  double p = 0.5 * std::min(left.p, right.p);
  for (int n = 0; n < n_most; ++n) {
    const WaveCurve l = wave_curve(gas, left, p);
    const WaveCurve r = wave_curve(gas, right, p);
    const double next = std::max(p - (l.change + r.change + dv) / (l.slope + r.slope), 1e-3 * p);
    const double change = std::abs(next - p);
    p = next;
    if (change < tolerance * p) break;
  }
  p_star_ = p;
  v_star_ = 0.5 * (left.vel[0] + right.vel[0]) +
            0.5 * (wave_curve(gas, right, p).change - wave_curve(gas, left, p).change);
}

ExactRiemann::State ExactRiemann::at(double speed) const {
  if (speed <= v_star_) return left_of_contact(gas_, left_, p_star_, v_star_, speed);
  return turned(left_of_contact(gas_, turned(right_), p_star_, -v_star_, -speed));
}

}  // namespace thalweg::hydro
