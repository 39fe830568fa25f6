// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::flow {

/// The graph of a program that changes now and then, recorded again when its revision has changed.
///
/// Where the graph has sections, it is patched, and data made outside sections live on; where it
/// has none, all is recorded anew in its memory, data too.
/// @threads one
class GraphCache {
 public:
  GraphCache(Rank rank, int n_ranks, Model model, const RecorderConfig& config = {})
      : rank_(rank), n_ranks_(n_ranks), model_(model), config_(config) {}

  /// The graph of a revision; where there is none yet, record(Recorder&) makes it.
  ///
  /// A reference to the graph of another revision is no longer good then.
  template <std::invocable<Recorder&> F>
  Graph& at(std::uint64_t revision, F record) {
    if (is_at(revision)) return *graph_;
    Recorder recorder = next_recorder();
    record(recorder);
    return graph_.emplace(capture(std::move(recorder), model_, revision));
  }
  /// The graph, for who expects it to be of this revision.
  /// @errors Error that names both revisions where it is of another one, or there is none
  Graph& current(std::uint64_t revision);
  bool is_at(std::uint64_t revision) const { return graph_ && graph_->revision() == revision; }

 private:
  Recorder next_recorder();

  Rank rank_;
  int n_ranks_;
  Model model_;
  RecorderConfig config_;
  std::optional<Graph> graph_;
};

}  // namespace thalweg::flow
