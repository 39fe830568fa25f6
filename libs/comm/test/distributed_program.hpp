// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <thalweg/core/hash.hpp>
#include <thalweg/core/random.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::comm {

/// A random program on numbers that belong to ranks; what a rank reads of others is sent to it.
///
/// Each step hashes what it reads into one number, so any wrong order or message shows in the end.
class DistributedProgram {
 public:
  struct Shape {
    std::uint64_t seed = 0;
    std::uint32_t n_ranks = 1;
    std::uint32_t n_steps = 50;
    std::uint32_t n_data = 12;
    std::uint32_t n_busy = 0;  ///< ranks that own data; 0: all
    std::uint64_t layout = 0;  ///< who owns what
  };

  explicit DistributedProgram(const Shape& shape) : shape_(shape) {
    SplitMix64 random(shape.seed);
    for (std::uint32_t i = 0; i < shape.n_steps; ++i) {
      Step step{.salt = random(), .target = draw(random), .begins_phase = random.below(8) == 0};
      for (std::uint64_t n = random.below(4); n > 0; --n) step.sources.push_back(draw(random));
      steps_.push_back(step);
    }
  }

  Rank owner(std::uint32_t datum) const {
    const std::uint32_t n_busy = shape_.n_busy == 0 ? shape_.n_ranks : shape_.n_busy;
    if (shape_.layout == 0) return Rank(datum % n_busy);
    return Rank(hash_number(datum, shape_.layout) % n_busy);
  }
  std::vector<std::uint64_t> initial() const {
    std::vector<std::uint64_t> values(shape_.n_data);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = i;
    return values;
  }
  std::vector<std::uint64_t> serial_result(std::uint64_t n_replays) const {
    std::vector<std::uint64_t> values = initial();
    advance(values, n_replays);
    return values;
  }
  /// Do the steps one after another, so many times.
  void advance(std::vector<std::uint64_t>& values, std::uint64_t n_replays) const {
    for (std::uint64_t r = 0; r < n_replays; ++r)
      for (const Step& step : steps_) {
        std::uint64_t seen = hash_number(values[step.target], step.salt);
        for (const std::uint32_t s : step.sources) seen = hash_number(values[s], seen);
        values[step.target] = seen;
      }
  }

  /// Record this rank's part. @param values of all data; only those of the rank are used
  void record(flow::Recorder& recorder, std::vector<std::uint64_t>& values) const {
    std::vector<flow::DataRef<std::uint64_t>> own;
    for (std::uint32_t d = 0; d < shape_.n_data; ++d)
      own.emplace_back(recorder.datum("d" + std::to_string(d)), std::span(values).subspan(d, 1));
    int n_phases = 0;
    for (const Step& step : steps_) {
      if (step.begins_phase)
        recorder.phase("phase",
                       n_phases++ % 3 == 0 ? flow::PhaseKind::level : flow::PhaseKind::step);
      record(recorder, own, step);
    }
  }

 private:
  struct Step {
    std::uint64_t salt;
    std::uint32_t target;
    bool begins_phase;
    std::vector<std::uint32_t> sources{};
  };

  std::uint32_t draw(SplitMix64& random) const {
    return static_cast<std::uint32_t>(random.below(shape_.n_data));
  }

  void record(flow::Recorder& recorder, const std::vector<flow::DataRef<std::uint64_t>>& own,
              const Step& step) const {
    const bool is_ours = owner(step.target) == recorder.rank();
    std::vector<flow::DataRef<std::uint64_t>> read;
    for (const std::uint32_t s : step.sources) {
      const bool is_local = owner(s) == owner(step.target);
      if (!is_local && owner(s) == recorder.rank())
        recorder.send(flow::in(own[s]), owner(step.target));
      if (!is_ours) continue;
      if (is_local) {
        read.push_back(own[s]);
        continue;
      }
      const auto ghost = recorder.data<std::uint64_t>("ghost", 1);
      recorder.recv(flow::out(ghost), owner(s));
      read.push_back(ghost.borrow());
    }
    if (!is_ours) return;
    std::vector<flow::Access> accesses{flow::inout(own[step.target]).access()};
    for (const auto& r : read) accesses.push_back(flow::in(r).access());
    recorder.task("step", accesses,
                  [salt = step.salt, target = own[step.target], read](flow::TaskContext&) {
                    std::uint64_t seen = hash_number(target.view()[0], salt);
                    for (const auto& r : read) seen = hash_number(r.const_view()[0], seen);
                    target.view()[0] = seen;
                  });
  }

  Shape shape_;
  std::vector<Step> steps_;
};

}  // namespace thalweg::comm
