// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <thalweg/miniamr/data/checksum.hpp>
#include <thalweg/miniamr/data/fill_times.hpp>
#include <thalweg/miniamr/data/mixed.hpp>
#include <thalweg/miniamr/data/sweep.hpp>

#include "around.hpp"

namespace thalweg::miniamr::data {

/// What the tasks of a group share; kept by each of them.
struct GroupTasks {
  Shape shape;
  Stencil stencil;
  Group group;
  std::array<std::unique_ptr<const FaceSet>, 2> sets;
  /// By block, then by variable of the group: of checks in turns, so that blocks go on with the
  /// next stage while one is under way.
  std::array<std::span<CellSum>, 2> sums;

  /// The ghost cells of a face of one variable. @param buffer  room, where they must be made
  const double* ghosts(BlockMemory memory, std::size_t block, int set, int face, int v,
                       double* buffer) const;
  /// One variable of a block, with ghost cells from one set and faces in the other.
  /// @param planes  room for ghost cells that must be made
  /// @param times   gets how long finding and making them takes; may be null
  Swept swept(BlockMemory memory, std::size_t block, int set, int v, double* planes,
              FillTimes* times = nullptr) const;
  /// The same with the ghost cells that the block keeps.
  Swept swept_before(BlockMemory memory, int v) const;
  /// Keep ghost cells for the next stage, where blocks do.
  void keep_ghosts(BlockMemory memory, int v, const Swept& s) const;
  void sum_up(std::size_t block, int v, const double* cells, int check) const;
  /// Sweep a block, from one set of faces to the other.
  /// @param check  which sums to make, if any
  void sweep(BlockMemory memory, std::size_t block, int set, std::optional<int> check,
             std::span<std::byte> scratch, FillTimes* times) const;
  /// Put the ghost cells that came across x into the faces across y, and those of x and y into the
  /// faces across z, for the neighbours' edges and corners.
  void fill_border(BlockMemory memory, std::size_t block, int set, int axis,
                   std::span<std::byte> scratch) const;
};

using AllGroups = std::vector<std::shared_ptr<const GroupTasks>>;

/// Update all variables of a block by the mixed stencil, one after another, from one set of faces
/// to the other. Where blocks keep ghost cells, variables see those of groups still to come as they
/// were after the last stage.
/// @return what that took
Flops update_mixed(const AllGroups& groups, const MixedConstants& constants, BlockMemory memory,
                   std::size_t block, int set, std::int64_t stage, std::optional<int> check,
                   std::span<std::byte> scratch);

}  // namespace thalweg::miniamr::data
