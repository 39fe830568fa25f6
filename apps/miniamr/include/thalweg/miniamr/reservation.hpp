// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/miniamr/options.hpp>

namespace thalweg::miniamr {

/// Blocks of a rank whose memory is taken before the clock starts: as many as --max_blocks, as the
/// reference does, and a quarter more, since blocks that are split, joined or moved are there twice
/// for a while; but no more than the mesh can have. None where there is no --max_blocks.
std::size_t blocks_to_reserve(const Options& options);

/// Bytes of the blocks that a rank begins with, or with --uniform_refine of those that it has then.
double bytes_of_first_blocks(const Options& options);

}  // namespace thalweg::miniamr
