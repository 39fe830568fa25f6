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
}

}  // namespace thalweg::backends
