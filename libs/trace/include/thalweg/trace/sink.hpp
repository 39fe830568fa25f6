// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include <thalweg/trace/event.hpp>

namespace thalweg::trace {

/// Where events go. No sink at all (a null pointer) costs the executor one branch an event.
class Sink {
 public:
  virtual ~Sink() = default;
  /// Give a name its number; the same name has the same number for the life of the sink.
  /// @threads only while no worker records
  virtual NameId intern(std::string_view name) = 0;
  /// Keep one event. @threads safe for events of different workers
  virtual void record(const Event& event) = 0;
};

}  // namespace thalweg::trace
