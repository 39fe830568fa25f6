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
  bool streams_faces = false;  ///< whether sweeps with 7 points write faces past the caches
  std::array<std::unique_ptr<const FaceSet>, 2> sets;
  /// By block, then by variable of the group: of checks in turns, so that blocks go on with the
  /// next stage while one is under way.
  std::array<std::span<CellSum>, 2> sums;

  /// Sweep a block, from one set of faces to the other; with corners, past the ghost cells that it
  /// keeps.
  /// @param check  which sums to make, if any
  /// @param times  gets how long finding and making ghost cells takes; may be null
  void sweep(BlockMemory memory, std::size_t block, int set, std::optional<int> check,
             std::span<std::byte> scratch, FillTimes* times) const;
  /// Renew the ghost cells that a block keeps beyond the faces across an axis. @pre has_corners
  void take_ghosts(BlockMemory memory, std::size_t block, int set, int axis,
                   FillTimes* times) const;
  /// Give the faces of a block across an axis the ghost cells that travel with them.
  /// @pre has_corners
  void give_borders(BlockMemory memory, int set, int axis) const;
  /// Update the group's variables of a block by the mixed stencil, one after another, from cells
  /// and kept ghost cells of all groups.
  /// @param set  of faces that neighbours read now: the other one is written
  /// @return what that took
  Flops update_mixed(const MixedConstants& constants, BlockMemory memory, std::size_t block,
                     int set, std::int64_t stage, std::optional<int> check,
                     std::span<std::byte> scratch) const;

 private:
  /// One variable of a block without ghost cells, with faces in the set that is written.
  Swept swept(BlockMemory memory, int set, int v) const;
  /// Find or make the ghost cells of a variable. @param planes  room for those that must be made
  void add_ghosts(Swept& swept, std::size_t block, int set, int v, double* planes,
                  FillTimes* times) const;
  void sum_up(std::size_t block, int v, const double* cells, int check) const;
};

}  // namespace thalweg::miniamr::data
