// SPDX-License-Identifier: MIT
#include "../src/connectivity.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

namespace thalweg::lulesh {
namespace {

/// An element among all, and one of its corners.
using Corner = std::pair<std::uint64_t, std::uint32_t>;

/// What each slot of corner forces of each rank holds, ghosts by what their ranks send.
std::vector<std::map<std::uint32_t, Corner>> corners_of_slots(int s, int side) {
  const auto n_ranks = static_cast<std::uint32_t>(side * side * side);
  std::vector<std::map<std::uint32_t, Corner>> corners(n_ranks);
  for (std::uint32_t r = 0; r < n_ranks; ++r) {
    const Cube cube(s, side, Rank(r));
    for (std::uint32_t slot = 0; slot < 8 * cube.n_elements(); ++slot)
      corners[r][slot] = {cube.global_element(slot / 8), slot % 8};
  }
  for (std::uint32_t r = 0; r < n_ranks; ++r)
    for (const Exchange& mine : Connectivity(Cube(s, side, Rank(r))).forces)
      for (const Exchange& theirs : Connectivity(Cube(s, side, mine.peer)).forces) {
        if (theirs.peer != Rank(r)) continue;
        EXPECT_EQ(theirs.sent.size(), mine.sent.size());
        for (std::uint32_t i = 0; i < theirs.sent.size(); ++i)
          corners[r][mine.received_begin + i] = corners[mine.peer()].at(theirs.sent[i]);
      }
  return corners;
}

TEST(LuleshConnectivity, lists_the_corners_of_a_node_as_one_rank_does) {
  for (const auto& [s, side] : {std::pair{1, 3}, {2, 2}, {2, 3}}) {
    const int n = s * side;
    const Cube whole(n, 1, Rank(0));
    const Connectivity expected(whole);
    const auto corners = corners_of_slots(s, side);
    for (std::uint32_t r = 0; r < corners.size(); ++r) {
      const Cube cube(s, side, Rank(r));
      const Connectivity c(cube);
      for (std::uint32_t node = 0; node < cube.n_nodes(); ++node)
        for (std::uint32_t i = 0; i < 8; ++i) {
          const std::uint32_t slot = c.corner_slots[8 * node + i];
          const std::uint32_t global = whole.node(s * cube.position() + cube.place_of_node(node));
          const std::uint32_t other = expected.corner_slots[8 * global + i];
          if (other + 1 == expected.n_corner_slots)
            EXPECT_EQ(slot + 1, c.n_corner_slots);
          else
            EXPECT_EQ(corners[r].at(slot), Corner(other / 8, other % 8));
        }
    }
  }
}

TEST(LuleshConnectivity, lists_the_corners_of_a_node_in_the_order_of_elements) {
  const Cube cube(3, 1, Rank(0));
  const Connectivity c(cube);
  std::size_t n_listed = 0;
  for (std::uint32_t node = 0; node < cube.n_nodes(); ++node) {
    std::uint32_t before = 0;
    for (std::uint32_t i = 0; i < 8; ++i) {
      const std::uint32_t slot = c.corner_slots[8 * node + i];
      if (slot + 1 == c.n_corner_slots) continue;
      EXPECT_EQ(c.nodes[slot], node);
      EXPECT_GE(slot, before);
      before = slot;
      ++n_listed;
    }
  }
  EXPECT_EQ(n_listed, 8U * 27);
}

TEST(LuleshConnectivity, has_neighbours_symmetry_and_free_surfaces) {
  const int s = 2;
  for (std::uint32_t r = 0; r < 27; ++r) {
    const Cube cube(s, 3, Rank(r));
    const Connectivity c(cube);
    for (std::uint32_t e = 0; e < cube.n_elements(); ++e)
      for (int side = 0; side < 6; ++side) {
        const int axis = side / 2;
        const int step = side % 2 == 0 ? -1 : 1;
        const int along = s * cube.position()[axis] + cube.place_of_element(e)[axis] + step;
        const std::uint32_t at = c.neighbours[6 * e + static_cast<std::uint32_t>(side)];
        if (along < 0)
          EXPECT_EQ(at, e);
        else if (along == 6)
          EXPECT_EQ(at + 1, c.n_gradients);
        else if (at < cube.n_elements())
          EXPECT_EQ(cube.place_of_element(at) - cube.place_of_element(e),
                    step * Index<3>::unit(axis));
        else {
          // What the rank over there sends into this place.
          const auto& mine = *std::ranges::find_if(c.gradients, [&](const auto& g) {
            return g.axis == axis && g.exchange.has_received(at);
          });
          const Cube there(s, 3, mine.exchange.peer);
          const Connectivity other(there);
          const auto& theirs = *std::ranges::find_if(other.gradients, [&](const auto& g) {
            return g.axis == axis && g.exchange.peer == Rank(r);
          });
          const std::uint32_t sent = theirs.exchange.sent[at - mine.exchange.received_begin];
          EXPECT_EQ(s * (there.position() - cube.position()) + there.place_of_element(sent) -
                        cube.place_of_element(e),
                    step * Index<3>::unit(axis));
        }
      }
  }
}

TEST(LuleshConnectivity, exchanges_with_all_ranks_that_touch) {
  EXPECT_EQ(Connectivity(Cube(2, 1, Rank(0))).forces.size(), 0U);
  EXPECT_EQ(Connectivity(Cube(2, 2, Rank(5))).forces.size(), 7U);
  EXPECT_EQ(Connectivity(Cube(2, 2, Rank(5))).gradients.size(), 3U);
  const Connectivity middle(Cube(2, 3, Rank(13)));
  EXPECT_EQ(middle.forces.size(), 26U);
  EXPECT_EQ(middle.gradients.size(), 6U);
  std::multiset<std::size_t> sizes;
  for (const Exchange& exchange : middle.forces) sizes.insert(exchange.sent.size());
  EXPECT_EQ(sizes.count(1), 8U);   // corners
  EXPECT_EQ(sizes.count(4), 12U);  // edges: 2 elements, 2 corners each
  EXPECT_EQ(sizes.count(16), 6U);  // faces: 4 elements, 4 corners each
}

}  // namespace
}  // namespace thalweg::lulesh
