// SPDX-License-Identifier: MIT
#include <thalweg/hydro/problems.hpp>

#include <algorithm>
#include <cstdint>

#include <thalweg/core/box.hpp>
#include <thalweg/core/dimensions.hpp>

namespace thalweg::hydro {

namespace {

/// The wave vector of a linear wave.
template <int D>
Vec<D> wave_vector(const LinearWave<D>& wave) {
  Vec<D> k;
  for (int a = 0; a < D; ++a) k[a] = 2.0 * std::numbers::pi * wave.n_waves[a] / wave.box[a];
  return k;
}

/// A one-dimensional state along an axis of D.
template <int D>
typename Euler<D>::Primitive along_axis(const Euler<1>::Primitive& w, int axis) {
  return {.rho = w.rho, .vel = w.vel[0] * Vec<D>::unit(axis), .p = w.p};
}

}  // namespace

template <int D>
double share_in_ball(Vec<D> cell_centre, Vec<D> dx, Vec<D> centre, double radius, int n) {
  double nearest = 0;
  double farthest = 0;
  for (int a = 0; a < D; ++a) {
    const double distance = std::abs(cell_centre[a] - centre[a]);
    const double near = std::max(0.0, distance - 0.5 * dx[a]);
    nearest += near * near;
    farthest += (distance + 0.5 * dx[a]) * (distance + 0.5 * dx[a]);
  }
  if (nearest >= radius * radius) return 0.0;
  if (farthest < radius * radius) return 1.0;
  // Samples on the sphere count half: by rounding one would be in, and its mirror image out.
  const double tolerance = 1e-9 * *std::ranges::min_element(dx.at);
  const double inner = std::max(0.0, radius - tolerance), outer = radius + tolerance;
  std::int64_t n_halves = 0;
  for_each(Box<D>::cube(n), [&](const Index<D>& sample) {
    double r2 = 0;
    for (int a = 0; a < D; ++a) {
      const double x = cell_centre[a] - centre[a] + (2.0 * sample[a] + 1 - n) / (2.0 * n) * dx[a];
      r2 += x * x;
    }
    n_halves += int(r2 < inner * inner) + int(r2 < outer * outer);
  });
  return static_cast<double>(n_halves) / (2.0 * static_cast<double>(Box<D>::cube(n).n_cells()));
}

template <int D, ShiftedGammaLaw Eos>
GasState<D> ShockTube<D, Eos>::operator()(const numerics::CellContext<D>& cell) const {
  const auto& [x, dx, level, time] = cell;
  const double below = (interface - (x[axis] - 0.5 * dx[axis])) / dx[axis];
  const double share = std::clamp(below, 0.0, 1.0);
  return numerics::map_components([=](double l, double r) { return share * l + (1.0 - share) * r; },
                                  gas.to_conserved(along_axis<D>(left, axis)),
                                  gas.to_conserved(along_axis<D>(right, axis)));
}

template <int D, ShiftedGammaLaw Eos>
GasState<D> ShockTube<D, Eos>::exact(const numerics::CellContext<D>& cell) const {
  const auto& [x, dx, level, time] = cell;
  if (!(time > 0)) return (*this)(cell);
  const RiemannSolution solution(gas.eos, left, right);
  GasState<D> mean{};
  for (int s = 0; s < n_subsamples; ++s) {
    const double at = x[axis] + ((s + 0.5) / n_subsamples - 0.5) * dx[axis] - interface;
    mean = numerics::map_components(
        [this](double sum, double sample) { return sum + sample / n_subsamples; }, mean,
        gas.to_conserved(along_axis<D>(solution.at(at / time), axis)));
  }
  return mean;
}

template <int D>
double LinearWave<D>::period() const {
  const Vec<D> k = wave_vector(*this);
  return 2.0 * std::numbers::pi / std::sqrt(dot(k, k));
}

template <int D>
GasState<D> LinearWave<D>::operator()(const numerics::CellContext<D>& cell) const {
  const auto& [x, dx, level, time] = cell;
  const Vec<D> k = wave_vector(*this);
  const Vec<D> direction = (1.0 / std::sqrt(dot(k, k))) * k;
  double mean_of_sine = std::sin(dot(k, x));  // over the cell: a factor sin(z)/z for each axis
  for (int a = 0; a < D; ++a) {
    const double z = 0.5 * k[a] * dx[a];
    if (z != 0) mean_of_sine *= std::sin(z) / z;
  }
  // Right eigenvectors of the conserved variables, Toro (2009), eq. 3.82, for c = 1: for a sound
  // wave in a gas at rest (1, +-n, H) with H = 1/(gamma-1), for the entropy wave (1, n, 1/2).
  const bool is_sound = wave != Wave::entropy;
  const double sign = wave == Wave::sound_backward ? -1.0 : 1.0;
  const double energy = is_sound ? 1.0 / (gas.eos.gamma - 1.0) : 0.5;
  GasState<D> u = gas.to_conserved(
      {.rho = 1.0, .vel = (is_sound ? 0.0 : 1.0) * direction, .p = 1.0 / gas.eos.gamma});
  const double change = amplitude * mean_of_sine;
  u.rho += change;
  u.mom += (change * sign) * direction;
  u.energy += change * energy;
  return u;
}

#define THALWEG_INSTANTIATE(D)                                        \
  template double share_in_ball(Vec<D>, Vec<D>, Vec<D>, double, int); \
  template struct ShockTube<D>;                                       \
  template struct ShockTube<D, StiffenedGas>;                         \
  template struct LinearWave<D>
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::hydro
