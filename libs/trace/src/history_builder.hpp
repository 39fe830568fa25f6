// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <thalweg/trace/history.hpp>

#include "graph_index.hpp"

namespace thalweg::trace {

/// Unrolls traces into instances and what each waited for.
class HistoryBuilder {
 public:
  explicit HistoryBuilder(std::vector<RankTrace> traces) { history_.traces_ = std::move(traces); }

  /// @errors a Failure as History::of says
  Result<History> build();

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  struct Link {
    std::uint32_t from;
    std::uint32_t to;
    Cause::Why why;
  };
  /// The replays of one run of which something was traced.
  struct Unrolled {
    std::vector<std::uint64_t> replays;  ///< sorted
    std::vector<std::uint32_t> nodes;    ///< instance of node n in replay i: nodes[i * n_nodes + n]
    std::vector<std::uint32_t> lasts;    ///< the same, the last part of a task that was suspended
    std::vector<std::uint32_t> tokens;   ///< instance of the token of replay i
    std::size_t n_nodes = 0;

    std::size_t row(std::uint64_t replay) const;
    bool has(std::uint64_t replay) const;
    std::uint32_t first(std::size_t i, std::uint32_t node) const {
      return nodes[i * n_nodes + node];
    }
    std::uint32_t last(std::size_t i, std::uint32_t node) const {
      return lasts[i * n_nodes + node];
    }
  };

  void align_clocks(std::span<const std::int64_t> offsets);
  Result<void> unroll(std::uint32_t trace);
  Result<void> place_events(std::uint32_t trace);
  Result<void> join_parts(std::uint32_t trace, std::vector<Unrolled>& runs);
  void link_run(std::uint32_t trace, std::uint32_t run, Unrolled& unrolled);
  void link_runs(std::uint32_t trace, const std::vector<Unrolled>& runs);
  void link_messages();
  Result<void> sort();
  void place_moments();

  std::uint32_t add(const Instance& instance);
  void link(std::uint32_t from, std::uint32_t to, Cause::Why why) {
    if (from != none && to != none) links_.push_back({from, to, why});
  }
  Span cut(const Span& span) const;

  History history_;
  std::vector<Link> links_;
  /// Instance of event i of worker w of trace t: ids_[t][w][i].
  std::vector<std::vector<std::vector<std::uint32_t>>> ids_;
};

}  // namespace thalweg::trace
