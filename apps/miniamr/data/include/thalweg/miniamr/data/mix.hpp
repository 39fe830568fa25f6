// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/core/random.hpp>

namespace thalweg::miniamr::data {

/// The hash of a number that miniAMR's fingerprints and initial values are made of.
constexpr std::uint64_t mix(std::uint64_t x) {
  return SplitMix64(x)();
}

}  // namespace thalweg::miniamr::data
