// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace thalweg {

/// A seeded sequence of 64-bit numbers, the same on every machine.
/// @source Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014
class SplitMix64 {
 public:
  explicit constexpr SplitMix64(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t operator()() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// A number in [0, n), n > 0; the bias of the modulo is below 2^-32 for n < 2^32.
  constexpr std::uint64_t below(std::uint64_t n) { return (*this)() % n; }
  /// A number in [0, 1).
  constexpr double uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace thalweg
