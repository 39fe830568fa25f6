// SPDX-License-Identifier: MIT
#include <thalweg/hydro/interface_wave.hpp>

#include <numbers>

#include <thalweg/core/box.hpp>
#include <thalweg/core/random.hpp>

namespace thalweg::hydro {

template <int D>
std::vector<InterfaceWave<D>> interface_waves(const Corners<D>& domain, const Index<D>& n_waves,
                                              double speed, WaveMode mode) {
  constexpr int up = D - 1;
  Box<D> counts;  // of wave lengths along each axis
  for (int a = 0; a < up; ++a) {
    counts.lo[a] = mode == WaveMode::single ? n_waves[a] : 0;
    counts.hi[a] = n_waves[a] + 1;
  }
  counts.hi[up] = 1;
  SplitMix64 random(1);
  std::vector<InterfaceWave<D>> waves;
  for_each(counts, [&](const Index<D>& count) {
    if (count == Index<D>{}) return;
    InterfaceWave<D> wave{
        .speed = speed, .height_below = -domain.lower[up], .height_above = domain.upper[up]};
    for (int a = 0; a < up; ++a) {
      wave.k[a] = 2.0 * std::numbers::pi * count[a] / (domain.upper[a] - domain.lower[a]);
      wave.phase[a] = mode == WaveMode::single ? -wave.k[a] * domain.lower[a]
                                               : 2.0 * std::numbers::pi * random.uniform();
    }
    waves.push_back(wave);
  });
  for (auto& wave : waves) wave.speed /= static_cast<double>(waves.size());
  return waves;
}

template std::vector<InterfaceWave<2>> interface_waves(const Corners<2>&, const Index<2>&, double,
                                                       WaveMode);
template std::vector<InterfaceWave<3>> interface_waves(const Corners<3>&, const Index<3>&, double,
                                                       WaveMode);

}  // namespace thalweg::hydro
