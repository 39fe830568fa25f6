// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <initializer_list>
#include <vector>

#include <thalweg/trace/sink.hpp>

namespace thalweg::trace {

/// Lets several sinks hear of runs, each of those that it wants.
/// @threads as Sink
class SinkList final : public Sink {
 public:
  /// @param sinks  they outlive this; null: nobody
  SinkList(std::initializer_list<Sink*> sinks) {
    for (Sink* sink : sinks)
      if (sink != nullptr) sinks_.push_back(sink);
  }

  bool begin_run(const RunStart& run) override {
    listening_.clear();
    for (Sink* sink : sinks_)
      if (sink->begin_run(run)) listening_.push_back(sink);
    return !listening_.empty();
  }
  void describe(GraphInfo graph) override {
    for (Sink* sink : listening_) sink->describe(graph);
  }
  void record(const Event& event) noexcept override {
    for (Sink* sink : listening_) sink->record(event);
  }
  void end_run(std::int64_t end_ns) override {
    for (Sink* sink : listening_) sink->end_run(end_ns);
  }

 private:
  std::vector<Sink*> sinks_;
  std::vector<Sink*> listening_;  ///< to the present run
};

}  // namespace thalweg::trace
