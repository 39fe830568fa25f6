// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <thalweg/core/hash.hpp>
#include <thalweg/core/random.hpp>

namespace thalweg::predict {

/// By which factors tasks of one kind take longer or shorter than the time that is given: mostly
/// longer, as noise takes time away, so that the mean is above 1.
struct Noise {
  enum class Kind : std::uint8_t {
    none,       ///< every task takes its time
    quantiles,  ///< measured: equally likely between any two neighbours of `quantiles`
    pareto,     ///< heavy tail: 1 + scale ((1 - u)^(-1/shape) - 1), u uniform in [0, 1)
  };
  Kind kind = Kind::none;
  std::vector<double> quantiles{};  ///< ascending, at least 2
  double scale = 0;
  double shape = 3;  ///< > 1, so that there is a mean: 1 + scale / (shape - 1)
  /// All tasks of a rank take longer or shorter by one factor, equally likely between any two
  /// neighbours: ascending, at least 2; empty: all ranks are alike.
  std::vector<double> rank_quantiles{};

  bool operator==(const Noise&) const = default;

  /// The factor that belongs to a uniform number. @pre 0 <= u < 1
  double factor(double u) const {
    if (kind == Kind::none) return 1;
    if (kind == Kind::pareto) {
      // To a ten-millionth of a task's time, which no noise is known to, in half the time.
      const auto power = std::pow(static_cast<float>(1 - u), static_cast<float>(-1 / shape));
      return 1 + scale * (static_cast<double>(power) - 1);
    }
    return between(quantiles, u);
  }
  /// The factor of a rank, likewise.
  double rank_factor(double u) const {
    return rank_quantiles.empty() ? 1 : between(rank_quantiles, u);
  }

 private:
  static double between(const std::vector<double>& values, double u) {
    const double at = u * static_cast<double>(values.size() - 1);
    const auto i = static_cast<std::size_t>(at);
    return values[i] + (at - static_cast<double>(i)) * (values[i + 1] - values[i]);
  }
};

/// The replay that a rank's own factor is asked for with: there is none of that number.
inline constexpr std::uint64_t no_replay = ~std::uint64_t{0};

/// A uniform number in [0, 1) for one run of one task: a function of who it is, not of when it is
/// asked for, so that it is the same on any simulated machine.
inline double uniform_of(std::uint64_t seed, std::uint32_t rank, std::uint64_t replay,
                         std::uint32_t node) {
  const std::uint64_t who = hash_number(node, hash_number(replay, hash_number(rank, seed)));
  return SplitMix64(who).uniform();
}

}  // namespace thalweg::predict
