// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <thalweg/io/checkpoint.hpp>

namespace thalweg::app {

/// Where checkpoints go, and what they say that the simulation does not know.
struct CheckpointTarget {
  std::string folder;  ///< of the run; exists
  int keep = 2;        ///< newest ones that stay; > 0
  std::string scheme;  ///< how steps are made, on one line
  std::vector<std::string> components;
  std::vector<double> totals_at_start;   ///< of each component, and more: see io::Manifest
  std::string deck;                      ///< the resolved deck
  std::vector<std::string> functions{};  ///< that the run has beside it: tags, source, ...
};

/// A checkpoint that has been written, or found whole.
struct Checkpoint {
  std::string path;
  io::Manifest manifest;
};

}  // namespace thalweg::app
