// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/miniamr/data/blocks.hpp>
#include <thalweg/miniamr/data/ghosts.hpp>
#include <thalweg/miniamr/data/shape.hpp>

namespace thalweg::miniamr::data {

/// What one block gives another across a face.
struct Transfer {
  mesh::Key<3> to;
  int face = 0;  ///< of `to`
  mesh::Key<3> from;

  constexpr auto operator<=>(const Transfer&) const = default;

  bool is_same_level() const { return to.level == from.level; }
  /// Which quarter of the coarser block's face the finer one covers: low or high along each
  /// transverse axis. @pre !is_same_level()
  std::array<std::uint8_t, 2> half() const;
  /// Whether the coarser one gives.
  bool is_coarse() const { return from.level < to.level; }
  /// What travels where levels change. @pre !is_same_level()
  PackedQuarter packed(const Shape& shape) const;
  /// Numbers of one variable: a plane, or a quarter of one where levels change.
  std::size_t size(const Shape& shape) const;
};

/// Transfers that travel together, in order.
struct FaceMessage {
  Rank peer;
  std::vector<Transfer> transfers;

  bool operator==(const FaceMessage&) const = default;
};

/// What a rank sends and receives in one direction.
///
/// Both sides of a pair of ranks know the same messages in the same order, so none has a header.
struct FaceExchange {
  std::vector<FaceMessage> sends;
  std::vector<FaceMessage> recvs;
};

/// Plan the exchange across the faces of an axis.
/// @param max_messages  from one rank to another; 0: each transfer alone
FaceExchange plan_exchange(const Shape& shape, const Layout& layout, Rank rank, int axis,
                           int max_messages);

}  // namespace thalweg::miniamr::data
