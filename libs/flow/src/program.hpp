// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/flow/graph.hpp>

namespace thalweg::flow {

/// What becomes of a step that waits for nothing any more.
enum class StepKind : std::uint8_t {
  task,
  send,
  recv,
  junction,  ///< nothing to do: it passes on at once that all before it are done
  gate,      ///< a replay begins
  end,       ///< a replay is complete
};

/// What is read of a node each time it runs: a cache line, because what runs next is mostly what
/// this one has released, and each look elsewhere would have to wait for the one before.
struct alignas(64) Step {
  static constexpr std::uint32_t n_inline = 9;

  void (*invoke)(void* body, TaskContext&) = nullptr;
  void* body = nullptr;
  std::uint32_t full = 0;   ///< how many it waits for
  std::uint32_t extra = 0;  ///< more to do when it is over: which Extra; 0: nothing
  std::uint32_t n_targets = 0;
  /// The steps of the same home and replay that wait for this one; if they are more, only where
  /// among the program's targets they begin.
  std::uint32_t targets[n_inline] = {};
};

/// What few steps have: steps of the next replay that wait for them, or of other homes.
struct Extra {
  std::uint32_t first_wrap = 0;  ///< among the targets: of the same home and the next replay
  std::uint32_t n_wraps = 0;
  std::uint32_t first_letter = 0;
  std::uint32_t n_letters = 0;
};

/// Tells another home that a step is over: what waits for it there.
struct Letter {
  std::uint32_t first_target = 0;  ///< those of the next replay, then those of the same
  std::uint32_t n_wraps = 0;
  std::uint32_t n_targets = 0;
  std::uint32_t to = 0;  ///< home
};

/// The steps of one home: [begin, end). Those before `special` go to the worker's row.
struct Domain {
  std::uint32_t begin = 0, special = 0, end = 0;
};

/// A graph as an engine reads it: numbered by home, so that workers share no cache line, and every
/// edge either within a home, where plain counters do, or part of a letter from one to another.
///
/// Beside the nodes of the graph there are, at home 0, a gate that the sources wait for and an end
/// that waits for the sinks; and junctions, each of which waits at a home for many steps there that
/// one step elsewhere waits for, so that a barrier gets one letter from a home, not one a task.
class Program {
 public:
  struct Options {
    std::uint32_t n_homes = 1;
    bool honours_priorities = true;
  };
  Program() = default;
  Program(const Graph& graph, const Options& options);

  std::uint32_t size() const { return static_cast<std::uint32_t>(steps_.size()); }
  const Step* steps() const { return steps_.data(); }
  const std::uint32_t* targets() const { return targets_.data(); }
  const Extra& extra(std::uint32_t index) const { return extras_[index]; }
  const std::vector<Letter>& letters() const { return letters_; }
  std::span<const Letter> letters(const Extra& e) const {
    return std::span(letters_).subspan(e.first_letter, e.n_letters);
  }
  const Domain& domain(std::uint32_t home) const { return domains_[home]; }
  StepKind kind(std::uint32_t step) const { return kinds_[step]; }
  std::uint32_t home(std::uint32_t step) const { return homes_[step]; }
  std::uint32_t level(std::uint32_t step) const { return levels_[step]; }
  std::uint32_t n_levels() const { return n_levels_; }
  std::uint32_t base_level() const { return base_level_; }  ///< of what lies in ready rings
  /// How many steps of the replay before a step waits for.
  std::uint32_t n_past(std::uint32_t step) const { return n_past_[step]; }
  /// The node of the graph. @pre the step is one
  TaskId node(std::uint32_t step) const { return TaskId(nodes_[step]); }
  std::uint32_t step_of(TaskId node) const { return step_of_[node()]; }
  std::uint32_t gate() const { return gate_; }
  std::uint32_t end() const { return end_; }

 private:
  friend class ProgramBuilder;

  std::uint32_t n_levels_ = 1;
  std::uint32_t base_level_ = 0;
  std::uint32_t gate_ = 0, end_ = 0;

  std::vector<Step> steps_;
  std::vector<std::uint32_t> targets_;
  std::vector<Extra> extras_;
  std::vector<Letter> letters_;
  std::vector<Domain> domains_;
  std::vector<StepKind> kinds_;
  std::vector<std::uint32_t> homes_;
  std::vector<std::uint32_t> levels_;
  std::vector<std::uint32_t> n_past_;
  std::vector<std::uint32_t> nodes_;    ///< of step
  std::vector<std::uint32_t> step_of_;  ///< of provisional number: nodes, gate, end, junctions
};

}  // namespace thalweg::flow
