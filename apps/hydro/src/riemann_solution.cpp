// SPDX-License-Identifier: MIT
#include <thalweg/hydro/riemann_solution.hpp>

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
WaveCurve wave_curve(const Euler<1>& gas, const RiemannSolution::State& w, double p) {
  const double gamma = gas.eos.gamma;
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
RiemannSolution::State left_of_contact(const Euler<1>& gas, const RiemannSolution::State& w,
                                       double p_star, double v_star, double speed) {
  const double gamma = gas.eos.gamma;
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

/// The same state with its pressure counted from -p_infinity.
RiemannSolution::State with_pressure_above(RiemannSolution::State w, double p_infinity) {
  w.p += p_infinity;
  return w;
}

/// The same state with the axis turned round.
RiemannSolution::State turned(RiemannSolution::State w) {
  w.vel[0] = -w.vel[0];
  return w;
}

}  // namespace

RiemannSolution::RiemannSolution(const StiffenedGas& eos, State left, State right)
    : gas_{{.gamma = eos.gamma}},
      p_infinity_(eos.p_infinity),
      left_(with_pressure_above(left, p_infinity_)),
      right_(with_pressure_above(right, p_infinity_)) {
  const double v_l = left.vel[0], v_r = right.vel[0];
  const double c_l = gas_.sound_speed(left_), c_r = gas_.sound_speed(right_);
  // How fast each side fills a vacuum, eq. 4.80 and 4.81.
  const double front_l = v_l + 2.0 / (gas_.eos.gamma - 1.0) * c_l;
  const double front_r = v_r - 2.0 / (gas_.eos.gamma - 1.0) * c_r;
  if (front_l <= front_r) {
    v_left_ = front_l;
    v_right_ = front_r;
    return;
  }
  // Newton's method on f(p) = f_l(p) + f_r(p) + v_r - v_l, increasing and concave: from below the
  // root it converges steadily, and from above its first step leads below; the bound keeps the
  // pressure positive. It starts where weak waves would meet (eq. 4.47).
  constexpr int n_most = 100;
  constexpr double tolerance = 1e-14;
  const double dv = v_r - v_l;
  double p =
      std::max(0.5 * (left_.p + right_.p) - 0.125 * dv * (left_.rho + right_.rho) * (c_l + c_r),
               0.5 * std::min(left_.p, right_.p));
  for (int n = 0; n < n_most; ++n) {
    const WaveCurve l = wave_curve(gas_, left_, p);
    const WaveCurve r = wave_curve(gas_, right_, p);
    const double next = std::max(p - (l.change + r.change + dv) / (l.slope + r.slope), 1e-3 * p);
    const double change = std::abs(next - p);
    p = next;
    if (change < tolerance * p) break;
  }
  p_star_ = p;
  v_left_ = 0.5 * (v_l + v_r) +
            0.5 * (wave_curve(gas_, right_, p).change - wave_curve(gas_, left_, p).change);
  v_right_ = v_left_;
}

RiemannSolution::State RiemannSolution::at(double speed) const {
  const State shifted =
      speed <= star_velocity()
          ? left_of_contact(gas_, left_, p_star_, v_left_, speed)
          : turned(left_of_contact(gas_, turned(right_), p_star_, -v_right_, -speed));
  return with_pressure_above(shifted, -p_infinity_);
}

}  // namespace thalweg::hydro
