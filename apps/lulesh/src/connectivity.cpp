// SPDX-License-Identifier: MIT
#include "connectivity.hpp"

#include <algorithm>
#include <cstddef>

namespace thalweg::lulesh {
namespace {

/// Call f with all places of a box of n^3, or of its layer at an offset of -1 or 1 along axes.
template <class F>
void for_each_place(int n, const Index<3>& offset, const F& f) {
  const auto begin = [&](int a) { return offset[a] > 0 ? n - 1 : 0; };
  const auto end = [&](int a) { return offset[a] < 0 ? 1 : n; };
  for (int k = begin(2); k < end(2); ++k)
    for (int j = begin(1); j < end(1); ++j)
      for (int i = begin(0); i < end(0); ++i) f(Index<3>{{i, j, k}});
}

template <class F>
void for_each_neighbour(const Cube& cube, const F& f) {
  for_each_place(3, {}, [&](const Index<3>& at) {
    const Index<3> offset = at - Index<3>::filled(1);
    if (offset == Index<3>{}) return;
    if (const auto peer = cube.neighbour(offset)) f(offset, *peer);
  });
}

/// Call f(element, corner) for all corners of a rank that its neighbour at an offset has, too.
template <class F>
void for_each_shared_corner(int s, const Index<3>& offset, const F& f) {
  for_each_place(s, offset, [&](const Index<3>& element) {
    for (std::size_t c = 0; c < 8; ++c) {
      bool is_shared = true;
      for (int a = 0; a < 3; ++a)
        if (offset[a] != 0)
          is_shared &= corner_offsets[c][static_cast<std::size_t>(a)] == (offset[a] > 0);
      if (is_shared) f(element, c);
    }
  });
}

/// Where an element is in a node's list, from the corner that the node is.
std::size_t order_in_node(std::size_t corner) {
  const auto& at = corner_offsets[corner];
  return static_cast<std::size_t>((1 - at[0]) + 2 * (1 - at[1]) + 4 * (1 - at[2]));
}

Index<3> corner_place(const Index<3>& element, std::size_t corner) {
  return element + Index<3>{corner_offsets[corner]};
}

/// Whether each of an element's numbers is followed by the one of the next element.
bool goes_on(const std::vector<std::uint32_t>& list, std::size_t element, std::size_t n) {
  for (std::size_t i = n * element; i < n * (element + 1); ++i)
    if (list[i + n] != list[i] + 1) return false;
  return true;
}

std::vector<std::uint8_t> count_runs(const std::vector<std::uint32_t>& nodes,
                                     const std::vector<std::uint32_t>& neighbours) {
  std::vector<std::uint8_t> runs(nodes.size() / 8, 1);
  for (std::size_t e = runs.size() - 1; e-- > 0;)
    if (goes_on(nodes, e, 8) && goes_on(neighbours, e, 6))
      runs[e] = static_cast<std::uint8_t>(std::min(runs[e + 1] + 1, 255));
  return runs;
}

}  // namespace

Connectivity::Connectivity(const Cube& cube) {
  const int s = cube.s();
  const std::uint32_t n = cube.n_elements();
  const auto face = static_cast<std::uint32_t>(s * s);

  nodes.resize(8 * std::size_t{n});
  for_each_place(s, {}, [&](const Index<3>& element) {
    for (std::size_t c = 0; c < 8; ++c)
      nodes[8 * std::size_t{cube.element(element)} + c] = cube.node(corner_place(element, c));
  });

  std::uint32_t next_slot = 8 * n;
  for_each_neighbour(cube, [&](const Index<3>& offset, Rank peer) {
    Exchange exchange{peer, {}, next_slot};
    for_each_shared_corner(s, offset, [&](const Index<3>& element, std::size_t c) {
      exchange.sent.push_back(8 * cube.element(element) + static_cast<std::uint32_t>(c));
    });
    next_slot = exchange.received_end();
    forces.push_back(std::move(exchange));
  });
  const std::uint32_t zero_slot = next_slot;
  n_corner_slots = zero_slot + 1;

  corner_slots.assign(8 * std::size_t{cube.n_nodes()}, zero_slot);
  const auto list_at = [&](const Index<3>& node, std::size_t corner, std::uint32_t slot) {
    corner_slots[8 * std::size_t{cube.node(node)} + order_in_node(corner)] = slot;
  };
  for_each_place(s, {}, [&](const Index<3>& element) {
    for (std::size_t c = 0; c < 8; ++c)
      list_at(corner_place(element, c), c,
              8 * cube.element(element) + static_cast<std::uint32_t>(c));
  });
  std::size_t which = 0;
  for_each_neighbour(cube, [&](const Index<3>& offset, Rank) {
    std::uint32_t slot = forces[which++].received_begin;
    // What the neighbour sends here is at the opposite offset there.
    for_each_shared_corner(s, -1 * offset, [&](const Index<3>& element, std::size_t c) {
      list_at(corner_place(element + s * offset, c), c, slot++);
    });
  });

  const std::uint32_t zero_gradient = n + 2 * face;
  n_gradients = zero_gradient + 1;
  neighbours.resize(6 * std::size_t{n});
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      const Index<3> offset = (side == 0 ? -1 : 1) * Index<3>::unit(axis);
      const auto peer = cube.neighbour(offset);
      const auto column = static_cast<std::size_t>(2 * axis + side);
      for_each_place(s, {}, [&](const Index<3>& element) {
        const Index<3> next = element + offset;
        if (next[axis] >= 0 && next[axis] < s)
          neighbours[6 * std::size_t{cube.element(element)} + column] = cube.element(next);
      });
      Exchange exchange{peer.value_or(Rank{}), {}, n + (side == 0 ? 0 : face)};
      for_each_place(s, offset, [&](const Index<3>& element) {
        const std::uint32_t here = cube.element(element);
        const std::uint32_t outside = side == 0 ? here : zero_gradient;
        neighbours[6 * std::size_t{here} + column] = peer ? exchange.received_end() : outside;
        exchange.sent.push_back(here);
      });
      if (peer) gradients.push_back({axis, std::move(exchange)});
    }
  runs = count_runs(nodes, neighbours);
}

}  // namespace thalweg::lulesh
