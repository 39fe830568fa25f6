// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>

namespace thalweg::app {

/// A part of the blocks of a rank: those i with i mod n == share.
struct Share {
  std::size_t share = 0;
  std::size_t n = 1;

  /// Call f(i) for the blocks of this share among n_blocks.
  template <class F>
  void for_each(std::size_t n_blocks, F&& f) const {
    for (std::size_t i = share; i < n_blocks; i += n) f(i);
  }
};

/// Calls a function with each share of a rank's blocks, on its workers at once; MeshSimulation has
/// one. It must not throw.
using OnWorkers = std::function<void(const std::function<void(const Share&)>&)>;

/// The number of shares, and on one thread.
struct Workers {
  std::size_t n = 1;
  OnWorkers run = [](const auto& body) { body(Share{}); };
};

}  // namespace thalweg::app
