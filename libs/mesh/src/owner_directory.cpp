// SPDX-License-Identifier: MIT
#include <thalweg/mesh/owner_directory.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::mesh {

void check_n_ranks(int n_ranks) {
  if (n_ranks > max_table_ranks)
    throw Error(fmt::format(
        "a mesh on {} ranks (here who owns a block is looked up in a table of all ranks that each "
        "compute node holds, which is meant for {} at most); run on fewer ranks with more workers "
        "each",
        n_ranks, max_table_ranks));
}

CurveRange OwnerDirectory::range() const {
  if (has_table()) return {splitters_[rank_()], splitters_[rank_() + 1]};
  const bool is_last = rank_() + 1 == static_cast<unsigned>(n_ranks_);
  return {routing_table_[0], is_last ? end_ : routing_table_[1]};
}

Rank OwnerDirectory::rank_of(std::uint64_t position) const {
  if (range().contains(position)) return rank_;
  THALWEG_EXPECT(has_table(), "there is no table to look the rank up");
  THALWEG_EXPECT(position < splitters_.back(), "position beyond the end of the curve");
  // Of several equal splitters the last begins the range that is not empty.
  const auto above = std::upper_bound(splitters_.begin(), splitters_.end(), position);
  return Rank(static_cast<int>(above - splitters_.begin()) - 1);
}

// Of several ranks that begin at one place the last has it: so it is at rank q or above where q
// begins there or before.
Reach OwnerDirectory::reach(int hop) const {
  const auto above = static_cast<std::size_t>(hop) + 1;
  THALWEG_EXPECT(above < routing_table_.size(), "no such hop");
  const std::uint64_t last = rank_() + (std::uint64_t{1} << hop);
  return {routing_table_[0], routing_table_[above], last >= static_cast<std::uint64_t>(n_ranks_)};
}

}  // namespace thalweg::mesh
