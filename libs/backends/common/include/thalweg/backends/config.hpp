// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

namespace thalweg::backends {

/// How a back end runs graphs.
struct Config {
  std::uint32_t n_threads = 1;    ///< that run tasks; 1 .. 256. One more serves the messages
  std::uint32_t depth = 2;        ///< replays in flight where the model lets them overlap; 1 .. 7
  std::size_t scratch_bytes = 0;  ///< memory of each thread for its tasks; at most 2^40
};

/// Refuse numbers out of range.
/// @errors Error
void check(const Config& config);

}  // namespace thalweg::backends
