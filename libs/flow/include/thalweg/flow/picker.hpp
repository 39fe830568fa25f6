// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/random.hpp>
#include <thalweg/flow/access.hpp>

namespace thalweg::flow {

/// Chooses which of the ready tasks runs next, so that a test can explore schedules.
class Picker {
 public:
  virtual ~Picker() = default;
  /// The position of the chosen one, below ready.size(). @pre ready is not empty
  virtual std::size_t pick(std::span<const TaskId> ready) = 0;
};

/// Every ready task with the same probability.
class UniformPicker final : public Picker {
 public:
  explicit UniformPicker(std::uint64_t seed) : random_(seed) {}
  std::size_t pick(std::span<const TaskId> ready) override { return random_.below(ready.size()); }

 private:
  SplitMix64 random_;
};

/// The ready task of highest random priority, with a few random moments at which it is demoted.
///
/// Finds a bug that needs d orderings with probability at least 1 / (n k^(d-1)), n tasks, k steps.
/// @source Burckhardt, Kothari, Musuvathi, Nagarakatte, "A randomized scheduler with probabilistic
///         guarantees of finding bugs", ASPLOS 2010
class PctPicker final : public Picker {
 public:
  struct Config {
    std::uint64_t seed = 0;
    std::uint32_t n_changes = 3;     ///< d - 1: moments of demotion
    std::uint64_t n_steps = 10'000;  ///< k: how many picks they are spread over, > 0
  };
  explicit PctPicker(const Config& config);
  std::size_t pick(std::span<const TaskId> ready) override;

 private:
  std::uint64_t priority(TaskId task) const;

  std::uint64_t seed_;
  std::vector<std::uint64_t> change_steps_;  ///< ascending
  std::vector<TaskId> demoted_;              ///< each lower than those before
  std::uint64_t step_ = 0;
  std::size_t n_changed_ = 0;
};

}  // namespace thalweg::flow
