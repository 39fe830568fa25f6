// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/trace/rank_trace.hpp>

namespace thalweg::trace {

/// A stretch of time [ns], without its end.
struct Span {
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;

  std::int64_t length_ns() const { return end_ns - start_ns; }
  bool operator==(const Span&) const = default;
};

/// One execution of a node, or a moment other executions waited for.
///
/// A task that was suspended is an instance for each part between two suspensions.
struct Instance {
  enum class Kind : std::uint8_t {
    task,
    send,     ///< from posted to complete
    recv,     ///< from posted to complete
    barrier,  ///< the moment all it waits for is done
    token,    ///< the moment a replay may start
    host,     ///< what the program did between two runs of graphs
  };
  Span span;
  std::uint32_t trace = 0;  ///< which of the traces
  std::uint32_t worker = 0;
  std::uint32_t run = 0;
  std::uint32_t node = 0;
  Kind kind = Kind::task;
};

/// Something that had to happen before an instance.
struct Cause {
  enum class Why : std::uint8_t {
    data,      ///< an edge of the graph
    complete,  ///< a gate: a replay had to be complete
    message,   ///< a receive: its send had to be posted
    resume,    ///< a task that was suspended: something outside of the graph, after its part before
    order,     ///< nothing but that its worker did that before
  };
  std::uint32_t instance;
  Why why;
};

/// What happened on all traced ranks in a window of time, and what waited for what.
///
/// All times are on the first trace's clock and cut off at the window's ends. The window is the
/// whole of the traces; or, where a window of steps was traced, it begins when the last rank has
/// started the first step and ends when the first rank has finished the last: as only there all
/// ranks' time is accounted for.
class History {
 public:
  /// @errors a Failure where there are no events, where the ranks' steps have no time in common, or
  /// where the traces contradict themselves
  static Result<History> of(std::vector<RankTrace> traces);

  const std::vector<RankTrace>& traces() const { return traces_; }
  const Span& window() const { return window_; }
  std::int64_t wall_ns() const { return window_.length_ns(); }
  std::uint32_t n_workers() const;

  const std::vector<Instance>& instances() const { return instances_; }
  /// Why an instance did not start earlier.
  std::span<const Cause> causes(std::uint32_t instance) const {
    return {causes_.data() + begin_[instance], causes_.data() + begin_[instance + 1]};
  }
  /// The send of a receive, where its rank was traced.
  std::optional<std::uint32_t> send_of(std::uint32_t recv) const;
  /// All instances, each after its causes.
  const std::vector<std::uint32_t>& order() const { return order_; }
  /// The tasks a worker ran, in order.
  const std::vector<std::uint32_t>& tasks(std::uint32_t trace, std::uint32_t worker) const {
    return tasks_[trace][worker];
  }

  /// A stretch of time of a worker that waits, and the run it waits in.
  struct Idle {
    Span span;
    std::uint32_t run;
  };
  /// When a worker was idle, in order.
  const std::vector<Idle>& idle(std::uint32_t trace, std::uint32_t worker) const {
    return idle_[trace][worker];
  }
  /// The runs of a rank, in order.
  std::vector<Span> runs(std::uint32_t trace) const;
  /// The name of the node of an instance; tokens and what is between runs have one too.
  std::string_view name(const Instance& instance) const;

 private:
  friend class HistoryBuilder;
  History() = default;

  std::vector<RankTrace> traces_;
  Span window_;
  std::vector<Instance> instances_;
  std::vector<std::size_t> begin_;
  std::vector<Cause> causes_;
  std::vector<std::uint32_t> order_;
  std::vector<std::vector<std::vector<std::uint32_t>>> tasks_;
  std::vector<std::vector<std::vector<Idle>>> idle_;
};

}  // namespace thalweg::trace
