// SPDX-License-Identifier: MIT
// loops: the time of each loop of a cycle, one line "name ns-per-element".
// loops count: each a fixed number of times, whose instructions callgrind counts for the gate.
// Built with four numbers side by side, and with one. Accelerations are left out: their vectors are
// of a corner's numbers in both.
#include <chrono>
#include <cstdio>
#include <limits>
#include <string_view>
#include <vector>

#include <valgrind/callgrind.h>

#include "../../src/layout.hpp"
#include "../../src/loops_of.hpp"
#include "../../src/state.hpp"

namespace thalweg::lulesh {
namespace {

constexpr int s = 8;  // rows are a multiple of the lanes: what is left of a row is not judged
constexpr int n_runs = 20;

/// Run all loops, and print what an element of the fastest run takes or have instructions counted.
void run(bool counts) {
  constexpr Loops loops = loops_of<LULESH_LANES>("judged");
  State state(Cube(s, 1, Rank(0)), {.n_regions = 1, .cost = 0});
  const Layout layout(state, {.s = s, .n_element_tasks = 1, .n_node_tasks = 1});
  const Fields& f = state.fields();
  for (std::uint32_t e = 0; e < state.cube().n_elements(); ++e) f.e[e] = 1 + 0.01 * e;
  std::vector<double> scratch(material_scratch_size);
  Constraints constraints;
  const auto take = [&](std::string_view name, const auto& loop) {
    CALLGRIND_ZERO_STATS;
    double least = std::numeric_limits<double>::infinity();
    for (int r = 0; r < n_runs; ++r) {
      const auto start = std::chrono::steady_clock::now();
      loop();
      const std::chrono::duration<double, std::nano> took =
          std::chrono::steady_clock::now() - start;
      least = std::min(least, took.count() / state.cube().n_elements());
    }
    if (counts) {
      CALLGRIND_DUMP_STATS_AT(name.data());
    } else {
      std::printf("%s %.3f\n", name.data(), least);
    }
  };
  take("lulesh_force", [&] { loops.force(f, layout.elements[0]); });
  take("lulesh_move", [&] { loops.move(f, layout.nodes[0], 1e-9); });
  take("lulesh_kinematics", [&] { loops.kinematics(f, layout.elements[0], 1e-9); });
  take("lulesh_material", [&] {
    for (const Piece& piece : layout.chunks[0].pieces)
      loops.material(f, piece, scratch.data(), constraints);
  });
}

}  // namespace
}  // namespace thalweg::lulesh

int main(int argc, char** argv) {
  thalweg::lulesh::run(argc > 1 && argv[1] == std::string_view("count"));
}
