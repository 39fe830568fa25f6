// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include <thalweg/trace/sink.hpp>

namespace thalweg::app {

/// Passes events on only while it is open, so that a few steps of a long run are traced.
/// @threads opened and closed between runs of graphs
class TraceWindow final : public trace::Sink {
 public:
  explicit TraceWindow(trace::Sink& sink) : sink_(sink) {}

  void open() { is_open_ = true; }
  void close() { is_open_ = false; }

  trace::NameId intern(std::string_view name) override { return sink_.intern(name); }
  void record(const trace::Event& event) override {
    if (is_open_) sink_.record(event);
  }

 private:
  trace::Sink& sink_;
  bool is_open_ = false;
};

}  // namespace thalweg::app
