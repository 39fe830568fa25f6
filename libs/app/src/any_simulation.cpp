// SPDX-License-Identifier: MIT
#include <thalweg/app/any_simulation.hpp>

namespace thalweg::app {

LocalBlocks AnySimulation::local_blocks() const {
  throw Error(
      "this simulation has no blocks of cells (its equations keep them in another way); write a "
      "plotfile, and read that");
}

}  // namespace thalweg::app
