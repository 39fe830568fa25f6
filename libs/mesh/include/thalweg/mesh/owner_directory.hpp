// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <thalweg/core/node_shared_array.hpp>
#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>

namespace thalweg::mesh {

/// How a rank finds the directory rank of a place. Blocks and owners do not depend on it.
enum class Directory : std::uint8_t {
  table,   ///< a compute node holds where each rank's part of a level begins
  routed,  ///< ranks 1, 2, 4, ... further on are known, and pass messages on
};

/// Most ranks that there is a table for: a compute node holds 8 bytes a rank and level, and 40
/// while they are made.
inline constexpr int max_table_ranks = 100'000;

/// What a run on so many ranks takes unless told otherwise.
constexpr Directory directory_for(int n_ranks) {
  return n_ranks <= max_table_ranks ? Directory::table : Directory::routed;
}

/// @errors Error where there are more ranks than there is a table for
void check_n_ranks(int n_ranks);

/// Entries of a rank's routing table. @source the finger table of Stoica et al., "Chord", SIGCOMM
/// 2001, section 4.3
constexpr std::size_t routing_table_size(int n_ranks) {
  return static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(n_ranks - 1))) + 1;
}

/// A range of the curve, by code: the places of a level whose directory rank a rank is.
struct CurveRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool contains(std::uint64_t code) const { return code >= begin && code < end; }
};

/// What is less than so many ranks above one, modulo n_ranks, of a line that ranks divide.
///
/// They have a part each, which may be empty, in their order.
struct Reach {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool wraps = false;  ///< past the last rank it goes on with the first

  bool contains(std::uint64_t place) const {
    return wraps ? place >= begin || place < end : place >= begin && place < end;
  }
};

/// Which rank is the directory of which part of a curve, as one rank knows it: by a table of all
/// parts, or enough of them to pass messages on (docs/adr/0012-ownership-and-partitioning.md).
/// @threads safe to read
class OwnerDirectory {
 public:
  OwnerDirectory() = default;
  /// @param splitters  rank q's part is [splitters[q], splitters[q + 1]). A compute node holds them
  ///                   once (collectives.hpp).
  OwnerDirectory(Rank rank, NodeSharedArray<std::uint64_t> splitters)
      : rank_(rank), splitters_(std::move(splitters)) {}
  /// @param routing_table  where the parts of this rank and of those 1, 2, 4, ... above begin,
  ///                       modulo n_ranks, below n_ranks
  /// @param end            of all parts
  OwnerDirectory(Rank rank, int n_ranks, std::vector<std::uint64_t> routing_table,
                 std::uint64_t end)
      : rank_(rank), n_ranks_(n_ranks), routing_table_(std::move(routing_table)), end_(end) {}

  bool operator==(const OwnerDirectory&) const = default;

  bool has_table() const { return routing_table_.empty(); }
  /// This rank's part.
  CurveRange range() const;
  /// @pre there is a table, or the place is in this rank's part  @cost O(log n_ranks), O(1) for
  /// one's own
  Rank rank_of(std::uint64_t position) const;
  /// The directory rank of a place, or where it is to be found on the way, the place.
  template <int D>
  Destination destination_of(std::uint64_t position, const Key<D>& place) const {
    if (has_table() || range().contains(position)) return Destination(rank_of(position));
    return Destination(place);
  }
  /// The parts of the ranks less than 2^hop above. @pre there is no table
  Reach reach(int hop) const;

  /// Of all ranks, where there is a table; else empty.
  const NodeSharedArray<std::uint64_t>& splitters() const { return splitters_; }
  /// Where there is no table; else empty.
  const std::vector<std::uint64_t>& routing_table() const { return routing_table_; }

 private:
  Rank rank_;
  int n_ranks_ = 1;  // where there is no table
  NodeSharedArray<std::uint64_t> splitters_;
  std::vector<std::uint64_t> routing_table_;
  std::uint64_t end_ = 0;
};

/// The routing table of a rank that can say of any rank where that one's part begins.
/// @param splitter_of  std::uint64_t splitter_of(int rank)
template <class SplitterOf>
std::vector<std::uint64_t> routing_table_of(Rank rank, int n_ranks, SplitterOf&& splitter_of) {
  std::vector<std::uint64_t> routing_table;
  routing_table.reserve(routing_table_size(n_ranks));
  routing_table.push_back(splitter_of(static_cast<int>(rank())));
  for (std::int64_t distance = 1; distance < n_ranks; distance *= 2)
    routing_table.push_back(splitter_of(static_cast<int>((rank() + distance) % n_ranks)));
  return routing_table;
}

}  // namespace thalweg::mesh
