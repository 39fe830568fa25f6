// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/miniamr/options.hpp>

namespace thalweg::miniamr {

/// Blocks of a rank whose memory is taken before the clock starts: as many as --max_blocks, as the
/// reference does, and a quarter more, since blocks that are split, joined or moved are there twice
/// for a while; but no more than the mesh can have. None where there is no --max_blocks.
std::size_t blocks_to_reserve(const Options& options);

/// Whether an eighth of the machine's memory is free and holds nothing, not even files. A rank that
/// asks again and again while it takes memory leaves some to the other ranks of its node.
bool has_free_memory();

}  // namespace thalweg::miniamr
