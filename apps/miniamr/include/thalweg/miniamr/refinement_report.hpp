// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>

#include <thalweg/io/shared_text.hpp>
#include <thalweg/miniamr/data/blocks.hpp>
#include <thalweg/miniamr/refining.hpp>

namespace thalweg::miniamr {

/// How many other ranks a rank exchanges faces with: across x, y, z, those summed, and each once.
using Partners = std::array<std::int64_t, 5>;
Partners partners_of(const data::Layout& layout, Rank rank);

/// Sets of blocks of this rank that touch across faces.
std::int64_t count_connected_sets(const data::Layout& layout, Rank rank);

/// Parents of this rank's blocks, and theirs: each is counted where the leaf in its lower corner
/// is.
std::int64_t count_parents(const data::Layout& layout);

/// What a rank reports of its blocks after a refinement.
struct RankReport {
  Partners partners{};
  std::int64_t n_sets = 0;
};
/// Sets of blocks of all ranks together, and the most that a rank has.
struct SetCounts {
  std::int64_t n = 0;
  std::int64_t most = 0;
  std::int64_t n_ranks_with_more = 0;  ///< than one
};
SetCounts count_sets(std::span<const RankReport> ranks);

/// The reference's lines about a refinement.
std::string level_lines(const MeshSummary& summary, int step);
std::string balance_lines(const BalanceReport& report);
std::string connection_lines(std::span<const RankReport> ranks);

/// A plot file: blocks, levels and root blocks; then for each rank the number of its blocks, and
/// for each of them its level and centre.
/// @param n_blocks  of all ranks  @param blocks  of this one
io::SharedText plot_text(const Lattice& lattice, std::int64_t n_blocks,
                         std::span<const data::Block> blocks);
/// Its name: with as many digits as the reference gives a run of so many steps.
std::string plot_name(int step, int n_steps);

}  // namespace thalweg::miniamr
