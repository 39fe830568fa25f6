// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <thalweg/app/context.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/miniamr/data/regrid.hpp>
#include <thalweg/miniamr/data/store.hpp>
#include <thalweg/miniamr/ownership_update.hpp>

namespace thalweg::miniamr {

/// This rank's graph of a change of the mesh, between the store's begin_regrid(), which this calls,
/// and end_regrid(), which is to be called when it has run.
inline flow::Graph graph_of_change(const Transition& transition, data::Store& store,
                                   const app::Context& context) {
  const Rank rank = context.transport.rank();
  store.begin_regrid(transition.origins, rank);
  flow::Recorder recorder(rank, context.transport.n_ranks());
  data::record_regrid(recorder, transition.origins, store, context.execution.executor.n_workers);
  return flow::capture(std::move(recorder), context.execution.model);
}

}  // namespace thalweg::miniamr
