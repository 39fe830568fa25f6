// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace thalweg::predict {

/// Something that happens in simulated time.
struct SimEvent {
  enum class Kind : std::uint8_t {
    worker_done,  ///< a worker's present activity is over; `of` is the worker
    arrival,      ///< a message is there; `of` is the connection, as below
    request,      ///< a long message asks its receiver whether it may come
    permission,   ///< the receiver has answered
    departure,    ///< a long message has left its sender
  };
  std::int64_t time_ns = 0;
  std::uint64_t number = 0;  ///< those of one time happen in the order in which they were made
  std::uint32_t of = 0;
  Kind kind = Kind::worker_done;
};

/// Events by time. The next one often is the one that was made last, which then never gets into the
/// heap.
class EventQueue {
 public:
  bool is_empty() const { return !has_first_; }
  void push(std::int64_t time_ns, SimEvent::Kind kind, std::uint32_t of) {
    SimEvent event{time_ns, n_made_++, of, kind};
    if (!has_first_) {
      first_ = event;
      has_first_ = true;
      return;
    }
    if (is_later(first_, event)) std::swap(first_, event);
    heap_.push_back(event);
    std::ranges::push_heap(heap_, is_later);
  }
  /// Take the next event. @pre !is_empty()
  SimEvent pop() {
    const SimEvent event = first_;
    has_first_ = !heap_.empty();
    if (has_first_) {
      std::ranges::pop_heap(heap_, is_later);
      first_ = heap_.back();
      heap_.pop_back();
    }
    return event;
  }

 private:
  static bool is_later(const SimEvent& a, const SimEvent& b) {
    return a.time_ns != b.time_ns ? a.time_ns > b.time_ns : a.number > b.number;
  }

  std::vector<SimEvent> heap_;
  SimEvent first_{};
  bool has_first_ = false;
  std::uint64_t n_made_ = 0;
};

}  // namespace thalweg::predict
