// SPDX-License-Identifier: MIT
#include "loops.hpp"
#include "loops_of.hpp"

namespace thalweg::lulesh {

const Loops& portable_loops() {
  static constexpr Loops loops = loops_of<4>("portable");
  return loops;
}

}  // namespace thalweg::lulesh
