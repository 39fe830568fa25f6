// SPDX-License-Identifier: MIT
#include <thalweg/trace/sink_memory.hpp>

#include <thalweg/core/contract.hpp>

namespace thalweg::trace {

MemorySink::MemorySink(std::uint32_t n_workers, std::size_t n_events_per_worker)
    : buffers_(n_workers) {
  for (Buffer& buffer : buffers_) buffer.events.reserve(n_events_per_worker);
}

NameId MemorySink::intern(std::string_view name) {
  const auto [it, is_new] = ids_.try_emplace(std::string(name), static_cast<NameId>(names_.size()));
  if (is_new) names_.emplace_back(name);
  return it->second;
}

void MemorySink::record(const Event& event) {
  THALWEG_EXPECT(event.worker < buffers_.size(), "no buffer for this worker");
  Buffer& buffer = buffers_[event.worker];
  if (buffer.events.size() < buffer.events.capacity())
    buffer.events.push_back(event);
  else
    ++buffer.n_dropped;
}

std::uint64_t MemorySink::n_dropped() const {
  std::uint64_t n = 0;
  for (const Buffer& buffer : buffers_) n += buffer.n_dropped;
  return n;
}

void MemorySink::clear() {
  for (Buffer& buffer : buffers_) {
    buffer.events.clear();
    buffer.n_dropped = 0;
  }
}

}  // namespace thalweg::trace
