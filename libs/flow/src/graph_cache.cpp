// SPDX-License-Identifier: MIT
#include <thalweg/flow/graph_cache.hpp>

#include <string>

#include <thalweg/core/error.hpp>

namespace thalweg::flow {

Graph& GraphCache::current(std::uint64_t revision) {
  if (is_at(revision)) return *graph_;
  throw Error("there is " +
              (graph_ ? "a graph of revision " + std::to_string(graph_->revision())
                      : std::string("no graph")) +
              ", and one of revision " + std::to_string(revision) +
              " is wanted (a stale graph would use data that have moved); get it with at()");
}

Recorder GraphCache::next_recorder() {
  if (!graph_) return {rank_, n_ranks_, config_};
  // Gone even where recording throws: half a graph is none.
  Graph old = *std::exchange(graph_, std::nullopt);
  return old.n_sections() > 0 ? Recorder::patching(std::move(old))
                              : Recorder::replacing(std::move(old));
}

}  // namespace thalweg::flow
