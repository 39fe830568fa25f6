// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <numbers>
#include <vector>

namespace thalweg::vlasov {

/// n (a0 + a2 v^2) exp(-(v - u)^2 / (2 T)) / sqrt(2 pi T)
struct Beam {
  double density = 1;
  double drift = 0;        ///< u [velocity]
  double temperature = 1;  ///< T [velocity^2]
  double a0 = 1;
  double a2 = 0;  ///< [1/velocity^2]

  double operator()(double v) const {
    const double w = v - drift;
    return density * (a0 + a2 * v * v) * std::exp(-w * w / (2 * temperature)) /
           std::sqrt(2 * std::numbers::pi * temperature);
  }
};

/// amplitude cos(m 2 pi x / L)
struct Wave {
  int m = 1;
  double amplitude = 0;
};

/// The distribution at the start: a sum of beams times 1 + a sum of waves.
struct Initial {
  std::vector<Beam> beams;
  std::vector<Wave> waves;
  double length = 1;  ///< of the box

  double of_v(double v) const {
    double sum = 0;
    for (const Beam& beam : beams) sum += beam(v);
    return sum;
  }
  double of_x(double x) const {
    double sum = 1;
    for (const Wave& wave : waves)
      sum += wave.amplitude * std::cos(wave.m * 2 * std::numbers::pi * x / length);
    return sum;
  }
};

}  // namespace thalweg::vlasov
