// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <thalweg/core/hash.hpp>
#include <thalweg/core/random.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::flow {

/// What random programs are made of.
struct ProgramShape {
  std::uint64_t seed = 0;
  std::uint32_t n_tasks = 60;
  std::uint32_t n_data = 8;
  std::uint32_t percent_messages = 10;  ///< of the steps: a send to oneself and its receive
  std::uint32_t percent_phases = 10;    ///< of the steps: a phase begins before
};

/// A random sequence of steps on some numbers, to be recorded or done one after another.
///
/// Each task hashes what it reads into what it writes, so that any wrong order changes the result.
class RandomProgram {
 public:
  struct Step {
    std::vector<Access> accesses;
    std::uint64_t salt = 0;
    bool is_message = false;
    bool begins_phase = false;
    bool is_level = false;
    int priority = 0;
  };

  explicit RandomProgram(const ProgramShape& shape) : shape_(shape) {
    SplitMix64 random(shape.seed);
    for (std::uint32_t i = 0; i < shape.n_tasks; ++i) {
      Step step;
      step.salt = random();
      step.is_message = random.below(100) < shape.percent_messages;
      step.begins_phase = random.below(100) < shape.percent_phases;
      step.is_level = random.below(3) == 0;
      step.priority = random.below(4) == 0 ? 1 : 0;
      const std::uint64_t n = step.is_message ? 2 : random.below(5);
      for (std::uint64_t a = 0; a < n; ++a)
        step.accesses.push_back(
            {DatumId(random.below(shape.n_data)), static_cast<Mode>(random.below(3))});
      if (step.is_message) {
        step.accesses[0].mode = Mode::in;
        step.accesses[1].mode = Mode::out;
        if (step.accesses[0].datum == step.accesses[1].datum) step.is_message = false;
      }
      steps_.push_back(step);
    }
  }

  const std::vector<Step>& steps() const { return steps_; }

  std::vector<std::uint64_t> initial() const {
    std::vector<std::uint64_t> values(shape_.n_data);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = i;
    return values;
  }
  /// The values after doing the steps one after another, so many times.
  std::vector<std::uint64_t> serial_result(std::uint64_t n_replays) const {
    return after(n_replays, initial());
  }
  /// The same, of a run that begins with these values.
  std::vector<std::uint64_t> after(std::uint64_t n_replays,
                                   std::vector<std::uint64_t> values) const {
    for (std::uint64_t r = 0; r < n_replays; ++r)
      for (const Step& step : steps_) {
        if (step.is_message)
          values[step.accesses[1].datum()] = values[step.accesses[0].datum()];
        else
          run(step, values.data(), r);
      }
    return values;
  }
  /// Record the steps on values that outlive the graph.
  void record(Recorder& recorder, std::uint64_t* values) const {
    for (std::uint32_t d = 0; d < shape_.n_data; ++d) recorder.datum("d" + std::to_string(d));
    for (const Step& step : steps_) {
      if (step.begins_phase)
        recorder.phase("phase", step.is_level ? PhaseKind::level : PhaseKind::step);
      if (step.is_message) {
        const DatumId from = step.accesses[0].datum, to = step.accesses[1].datum;
        recorder.send(from, std::as_bytes(std::span(values + from(), 1)), Rank(0));
        recorder.recv(to, std::as_writable_bytes(std::span(values + to(), 1)), Rank(0));
        continue;
      }
      recorder.task("step", step.accesses,
                    [&step, values](TaskContext& context) { run(step, values, context.replay()); },
                    {.priority = step.priority});
    }
  }

 private:
  static void run(const Step& step, std::uint64_t* values, std::uint64_t replay) {
    std::uint64_t seen = hash_number(replay, step.salt);
    for (const Access& a : step.accesses)
      if (a.mode != Mode::out) seen = hash_number(values[a.datum()], seen);
    for (const Access& a : step.accesses)
      if (a.mode != Mode::in) values[a.datum()] = hash_number(seen, a.datum());
  }

  ProgramShape shape_;
  std::vector<Step> steps_;
};

}  // namespace thalweg::flow
