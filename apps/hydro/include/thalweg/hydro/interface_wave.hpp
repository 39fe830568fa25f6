// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <vector>

#include <thalweg/core/vec.hpp>

namespace thalweg::hydro {

/// Two corners of a domain.
template <int D>
struct Corners {
  Vec<D> lower;
  Vec<D> upper;
};

/// The velocity of a standing wave on an interface between two layers without viscosity.
///
/// The interface lies across the last axis, z, at 0, walls at z = -h below and z = h above, each
/// with its own h. With k = |wave vector| and C the product of cos(k_a x_a + phase_a),
///     v_z = speed C sinh(k (h - |z|)) / sinh(k h),
///     v_a = -+ speed / k dC/dx_a cosh(k (h - |z|)) / sinh(k h)    (- above, + below):
/// free of divergence and curl, it is the mode that grows or swings in linear theory:
///     growth^2 = g k (rho_2 - rho_1) / (rho_2 coth(k h_2) + rho_1 coth(k h_1)).
/// @source Chandrasekhar, "Hydrodynamic and Hydromagnetic Stability" (1961), sec. 92
/// @verified interface_wave_test.cpp
template <int D>
struct InterfaceWave {
  Vec<D> k{};      ///< wave vector; 0 along z
  Vec<D> phase{};  ///< of each axis
  double speed = 0;
  double height_below = 1;
  double height_above = 1;

  Vec<D> operator()(const Vec<D>& x) const {
    constexpr int up = D - 1;
    const double length = std::sqrt(dot(k, k));
    const double h = x[up] > 0 ? height_above : height_below;
    const double depth = length * (h - std::abs(x[up]));
    double crests = speed;
    for (int a = 0; a < up; ++a) crests *= std::cos(k[a] * x[a] + phase[a]);
    Vec<D> v = crests * std::sinh(depth) / std::sinh(length * h) * Vec<D>::unit(up);
    for (int a = 0; a < up; ++a) {
      double slope = speed * (x[up] > 0 ? k[a] : -k[a]) / length;
      for (int b = 0; b < up; ++b)
        slope *= a == b ? std::sin(k[b] * x[b] + phase[b]) : std::cos(k[b] * x[b] + phase[b]);
      v[a] = slope * std::cosh(depth) / std::sinh(length * h);
    }
    return v;
  }
};

/// How interface_waves chooses waves.
enum class WaveMode {
  single,  ///< one of n_waves wave lengths along each axis, a crest on each side of the domain
  random,  ///< all of 1 to n_waves wave lengths along each axis, with phases by chance
};

/// Waves on the interface of a domain; their speeds add up to `speed` at most.
/// The same on every machine: the phases come from a generator of the library.
/// @pre n_waves is at least 1 along some axis but the last, whose entry is not looked at
template <int D>
std::vector<InterfaceWave<D>> interface_waves(const Corners<D>& domain, const Index<D>& n_waves,
                                              double speed, WaveMode mode);

/// The sum of the velocities of all waves.
template <int D>
Vec<D> velocity_of(const std::vector<InterfaceWave<D>>& waves, const Vec<D>& x) {
  Vec<D> sum;
  for (const auto& wave : waves) sum += wave(x);
  return sum;
}

}  // namespace thalweg::hydro
