// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

#include <thalweg/app/context.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/miniamr/data/store.hpp>
#include <thalweg/miniamr/lattice.hpp>

namespace thalweg::miniamr {

/// One plotfile of a run.
struct PlotfileMoment {
  std::string path{};
  std::int64_t step = 0;
  double time = 0;
  int n_vars = 1;  ///< how many variables are written, from the first on
};

/// Write the blocks as an AMReX plotfile, which yt, ParaView and VisIt read. Collective.
///
/// Values are amounts in the volume of a cell of level 0, so that a picture does not show the
/// levels: a cell of level l holds its own times 8^l. Readers want coarse boxes under fine ones, so
/// blocks that were split are written too, each cell as the sum of its eight children: what joining
/// them would give. Rank (code mod ranks) adds such a block up.
/// @errors a file that cannot be written: on all ranks alike
/// @cost beside its blocks' values a rank holds those of the split blocks that it adds up
Result<void> write_plotfile(const app::Context& context, const Lattice& lattice,
                            const data::Store& store, const PlotfileMoment& moment);

}  // namespace thalweg::miniamr
