// SPDX-License-Identifier: MIT
#include <thalweg/backends/config.hpp>

#include <string>

#include <thalweg/core/error.hpp>

namespace thalweg::backends {

void check(const Config& config) {
  const auto require = [](std::uint32_t value, std::uint32_t most, const std::string& name) {
    if (value < 1 || value > most)
      throw Error(name + " = " + std::to_string(value) + " (must be 1 to " + std::to_string(most) +
                  ")");
  };
  require(config.n_threads, 256, "n_threads");
  require(config.depth, 7, "depth");
  if (config.scratch_bytes > std::size_t{1} << 40)
    throw Error("scratch_bytes = " + std::to_string(config.scratch_bytes) +
                " (must be 0 to 2^40, for each thread)");
}

}  // namespace thalweg::backends
