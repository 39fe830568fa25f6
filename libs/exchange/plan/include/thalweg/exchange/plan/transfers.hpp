// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <thalweg/core/box.hpp>
#include <thalweg/core/strong_id.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/mesh/key.hpp>

namespace thalweg::exchange {

/// Cells that one block gives to another: the cell region + shift of src goes to region of dst.
template <int D>
struct Copy {
  mesh::Key<D> src;
  mesh::Key<D> dst;
  Box<D> region;   ///< in the index space of dst
  Index<D> shift;  ///< not zero where the way to src wraps around the domain

  constexpr bool operator==(const Copy&) const = default;

  constexpr std::int64_t n_cells() const { return region.n_cells(); }
};

/// The order of copies in all lists: by destination, source, then place.
template <int D>
constexpr bool operator<(const Copy<D>& a, const Copy<D>& b) {
  if (a.dst != b.dst) return a.dst < b.dst;
  if (a.src != b.src) return a.src < b.src;
  return a.region.lo < b.region.lo;
}

/// Copies that travel together. Sender and receiver hold the same list.
///
/// Packed copy after copy in the order of the list; of each copy component after component, and of
/// each component the cells with x fastest.
template <int D>
struct Message {
  Rank peer;
  std::vector<Copy<D>> copies;
  std::int64_t n_cells = 0;  ///< of all copies together

  bool operator==(const Message&) const = default;
};

/// All copies a rank takes part in: its own, those it sends, those it receives. Sorted.
///
/// The i-th message to a peer is the i-th message that the peer receives from this rank.
template <int D>
struct Transfers {
  std::vector<Copy<D>> locals;
  std::vector<Message<D>> sends;  ///< sorted by peer, then by copies
  std::vector<Message<D>> recvs;  ///< likewise

  bool operator==(const Transfers&) const = default;
};

/// What to plan for.
struct PlanOptions {
  int level = 0;           ///< the level itself, or the finer of the two
  int n_ghosts = 1;        ///< layers of ghost cells, 1 to the fewest cells of a block
  int max_comm_tasks = 1;  ///< messages to one peer, at most; 0: one a copy
  int coarse_reach = 1;    ///< coarse cells that prolongation reads around those below a fine one
};

}  // namespace thalweg::exchange
