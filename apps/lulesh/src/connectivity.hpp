// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/lulesh/cube.hpp>

namespace thalweg::lulesh {

/// What goes to a neighbour in each cycle, and where as much of it goes to.
struct Exchange {
  Rank peer;
  std::vector<std::uint32_t> sent;  ///< places in the array, in the order of the message
  std::uint32_t received_begin;     ///< in the array, behind a rank's own

  std::uint32_t received_end() const {
    return received_begin + static_cast<std::uint32_t>(sent.size());
  }
  bool has_received(std::uint32_t place) const {
    return place >= received_begin && place < received_end();
  }
};

/// What is next to what on a rank: the lists that the kernels go by, and exchanges.
///
/// Corner c of element e has slot 8 e + c of corner forces; behind those are the slots of
/// neighbours' corners and one that stays zero. A node lists the slots of its eight elements in
/// the order of their global numbers, so all ranks that have it add up the same numbers in the
/// same order; where the mesh ends, the slot is the zero.
///
/// Velocity gradients along an axis have a place for each element, for those of the neighbour
/// below, of the one above, and a zero. An element's neighbour is itself at a symmetry plane, and
/// the zero at a free surface.
struct Connectivity {
  explicit Connectivity(const Cube& cube);

  std::vector<std::uint32_t> nodes;         ///< [8 * element + corner]
  std::vector<std::uint32_t> neighbours;    ///< [6 * element + 2 * axis + side]
  std::vector<std::uint32_t> corner_slots;  ///< [8 * node + i]
  /// From an element on so many, 255 at most, have nodes and neighbours that follow each other:
  /// they are loaded together.
  std::vector<std::uint8_t> runs;
  std::uint32_t n_corner_slots = 0;  ///< the last is the zero
  std::uint32_t n_gradients = 0;     ///< along each axis; the last is the zero
  std::vector<Exchange> forces;      ///< with up to 26 neighbours, of corner slots
  struct GradientExchange {
    int axis;
    Exchange exchange;
  };
  std::vector<GradientExchange> gradients;  ///< with up to 6 neighbours
};

}  // namespace thalweg::lulesh
