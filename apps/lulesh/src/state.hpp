// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <thalweg/lulesh/cube.hpp>
#include <thalweg/lulesh/regions.hpp>
#include <thalweg/lulesh/time_step.hpp>

#include "connectivity.hpp"
#include "loops.hpp"

namespace thalweg::lulesh {

/// All that a rank has: the mesh, its fields, and where time stands.
class State {
 public:
  /// The initial state: at rest, with energy in the element at the origin.
  State(const Cube& cube, const RegionSettings& settings);
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  const Cube& cube() const { return cube_; }
  const Connectivity& connectivity() const { return connectivity_; }
  const std::vector<Region>& regions() const { return regions_; }
  const Fields& fields() const { return fields_; }

  CycleClock clock;
  Verdict verdict;  ///< of all ranks on the last cycle

 private:
  std::vector<double>& make(std::size_t n, double value);
  void set_up_nodes();
  void set_up_elements();

  Cube cube_;
  Connectivity connectivity_;
  std::vector<Region> regions_;
  std::vector<std::vector<double>> arrays_;
  std::vector<std::uint8_t> fixed_;
  std::vector<CornerForce> corners_;
  Fields fields_{};
};

}  // namespace thalweg::lulesh
