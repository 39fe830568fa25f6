// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include <thalweg/miniamr/data/blocks.hpp>
#include <thalweg/miniamr/data/shape.hpp>
#include <thalweg/miniamr/data/stages.hpp>

namespace thalweg::miniamr {

/// What a rank exchanges across faces, counted as the reference counts it: a face between levels
/// counts once for each of its quarters. Bytes are those that travel; there the messages of a last,
/// shorter group of variables are as long as the others'.
struct Exchanged {
  double messages_received = 0;
  double bytes_received = 0;
  double faces_received = 0;
  double messages_sent = 0;
  double bytes_sent = 0;
  double faces_sent = 0;
  double faces_same = 0;       ///< within the rank, of a neighbour as fine
  double faces_different = 0;  ///< within the rank, of one coarser or finer
  double faces_boundary = 0;   ///< of the domain

  /// Add so many times what another says.
  void add(const Exchanged& more, double n_times = 1);
  bool operator==(const Exchanged&) const = default;
};

/// By axis.
using ExchangedByAxis = std::array<Exchanged, 3>;

/// What all groups of variables exchange in one stage.
ExchangedByAxis exchanged_in_stage(const data::Shape& shape, const data::StageSettings& settings,
                                   const data::Layout& layout, Rank rank);

}  // namespace thalweg::miniamr
