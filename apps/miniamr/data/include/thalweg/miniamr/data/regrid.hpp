// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/flow/recorder.hpp>
#include <thalweg/miniamr/data/blocks.hpp>
#include <thalweg/miniamr/data/store.hpp>

namespace thalweg::miniamr::data {

/// Record what becomes of the cells of blocks in one change of the mesh: splits, joins
/// and moves.
///
/// A block that stays costs nothing. One that moves is sent from where it lies to where it will
/// lie; of one that is split or joined across ranks only an eighth travels: the part of the parent
/// that the child covers, or the sums that the parent needs. All blocks move at the same time, one
/// message each.
///
///     store.begin_regrid(origins, rank);
///     record_regrid(recorder, origins, store, n_workers);      // run it once, on all ranks
///     store.end_regrid();
///
/// @param origins  of this change, the same between ranks (see Origins)
void record_regrid(flow::Recorder& recorder, const Origins& origins, Store& store,
                   std::uint32_t n_workers);

}  // namespace thalweg::miniamr::data
