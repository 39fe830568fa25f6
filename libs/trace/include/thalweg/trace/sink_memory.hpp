// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <thalweg/trace/sink.hpp>

namespace thalweg::trace {

/// Keeps events in buffers allocated beforehand, one a worker: no lock and no allocation to record.
///
/// A full buffer drops what comes later and counts it.
class MemorySink final : public Sink {
 public:
  MemorySink(std::uint32_t n_workers, std::size_t n_events_per_worker);

  NameId intern(std::string_view name) override;
  void record(const Event& event) override;

  std::uint32_t n_workers() const { return static_cast<std::uint32_t>(buffers_.size()); }
  /// The events of one worker, in the order they ended.
  std::span<const Event> events(std::uint32_t worker) const { return buffers_[worker].events; }
  /// Names by number.
  std::span<const std::string> names() const { return names_; }
  /// How many events found their buffer full.
  std::uint64_t n_dropped() const;
  /// Forget the events, keep the names.
  void clear();

 private:
  /// Alone on its cache line, so that workers do not slow each other.
  struct alignas(64) Buffer {
    std::vector<Event> events;
    std::uint64_t n_dropped = 0;
  };

  std::vector<Buffer> buffers_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, NameId> ids_;
};

}  // namespace thalweg::trace
