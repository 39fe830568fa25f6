// SPDX-License-Identifier: MIT
#include "../src/loops.hpp"

#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

#include "../src/layout.hpp"
#include "../src/state.hpp"

namespace thalweg::lulesh {
namespace {

/// All numbers of a state after some cycles from a mesh that is out of shape.
std::vector<double> some_cycles(const Loops& loops, std::int64_t n_element_tasks) {
  State state(Cube(5, 1, Rank(0)), {});
  const Settings settings{.s = 5, .n_element_tasks = n_element_tasks, .n_node_tasks = 3};
  const Layout layout(state, settings);
  const Fields& f = state.fields();
  const std::uint32_t n_nodes = state.cube().n_nodes();
  const std::uint32_t n_elements = state.cube().n_elements();
  SplitMix64 random(5);
  const auto noise = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 - 0.5; };
  for (std::uint32_t n = 0; n < n_nodes; ++n)
    for (double* const field : {f.x, f.y, f.z, f.xd, f.yd, f.zd}) field[n] += 0.05 * noise();
  for (std::uint32_t e = 0; e < n_elements; ++e) f.e[e] += 3 + noise();
  std::vector<double> scratch(material_scratch_size);
  std::vector<double> numbers;
  for (int cycle = 0; cycle < 3; ++cycle) {
    Constraints constraints;
    for (std::size_t b = 0; b < layout.elements.size(); ++b) loops.force(f, layout.elements[b]);
    for (std::size_t b = 0; b < layout.nodes.size(); ++b) loops.accelerate(f, layout.nodes[b]);
    for (std::size_t b = 0; b < layout.nodes.size(); ++b) loops.move(f, layout.nodes[b], 1e-4);
    for (std::size_t b = 0; b < layout.elements.size(); ++b)
      loops.kinematics(f, layout.elements[b], 1e-4);
    for (const Layout::Chunk& chunk : layout.chunks)
      for (const Piece& piece : chunk.pieces) loops.material(f, piece, scratch.data(), constraints);
    numbers.insert(numbers.end(), {constraints.courant, constraints.hydro});
  }
  for (const double* const field : {f.x, f.y, f.z, f.xd, f.yd, f.zd})
    numbers.insert(numbers.end(), field, field + n_nodes);
  for (const double* const field : {f.e, f.p, f.q, f.v, f.ss})
    numbers.insert(numbers.end(), field, field + n_elements);
  return numbers;
}

TEST(LuleshLoops, have_the_same_bits_for_all_processors_and_blocks) {
  const auto expected = some_cycles(portable_loops(), 1);
  EXPECT_EQ(some_cycles(portable_loops(), 125), expected);  // one lane
  EXPECT_EQ(some_cycles(portable_loops(), 7), expected);
  if (const Loops* const wide = avx512_loops()) {
    EXPECT_EQ(some_cycles(*wide, 1), expected);
    EXPECT_EQ(some_cycles(*wide, 7), expected);
  }
}

TEST(LuleshLoops, move_a_uniform_gas_nowhere_but_at_free_surfaces) {
  State state(Cube(4, 1, Rank(0)), {});
  const Fields& f = state.fields();
  for (std::uint32_t e = 0; e < 64; ++e) f.p[e] = 2;
  portable_loops().force(f, {0, 64});
  portable_loops().accelerate(f, {0, state.cube().n_nodes()});
  for (std::uint32_t n = 0; n < state.cube().n_nodes(); ++n) {
    const Index<3> at = state.cube().place_of_node(n);
    const double area = 1.125 * 1.125 / 16;
    // Pressure times the area that a node has of the free surface, which is at the upper end.
    double surface = 2 * area;
    for (const int a : {1, 2})
      if (at[a] == 0 || at[a] == 4) surface /= 2;
    const double expected = at[0] == 4 ? surface / f.nodal_mass[n] : 0;
    EXPECT_NEAR(f.xdd[n], expected, 1e-12 * (1 + expected)) << at[0] << at[1] << at[2];
  }
}

}  // namespace
}  // namespace thalweg::lulesh
