// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
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
    memory_done,  ///< the next task that shares memory may be over; `of` is the domain
  };
  std::int64_t time_ns = 0;
  std::uint32_t of = 0;
  Kind kind = Kind::worker_done;
};

/// Events by time; those of one time in the order in which they were made.
///
/// A radix heap (Ahuja, Mehlhorn, Orlin, Tarjan, J. ACM 37 (1990) 213): an event lies in the bucket
/// of the highest bit in which its time differs from the time of the event that was taken last, or
/// in bucket 0 where none differs. No event is before that one, so the earliest are in the first
/// bucket that has any. Those of one time are always in one bucket, and move together.
class EventQueue {
 public:
  bool is_empty() const { return filled_ == 0; }
  /// @pre the time is not before that of the event that was taken last
  void push(std::int64_t time_ns, SimEvent::Kind kind, std::uint32_t of) {
    put({time_ns, of, kind});
  }
  /// Take the next event. @pre !is_empty()
  SimEvent pop() {
    if (buckets_[first_bucket()].size() == 1 && n_taken_ == 0) return take_only();
    if ((filled_ & 1) == 0) go_on();
    std::vector<SimEvent>& present = buckets_[0];
    const SimEvent event = present[n_taken_++];
    if (n_taken_ == present.size()) {
      present.clear();
      n_taken_ = 0;
      filled_ &= ~std::uint64_t{1};
    }
    return event;
  }

 private:
  std::size_t first_bucket() const { return static_cast<std::size_t>(std::countr_zero(filled_)); }
  /// Take the event of the first bucket, which has no other one.
  SimEvent take_only() {
    std::vector<SimEvent>& first = buckets_[first_bucket()];
    const SimEvent event = first.front();
    first.clear();
    filled_ &= filled_ - 1;
    last_ns_ = event.time_ns;
    return event;
  }
  void put(const SimEvent& event) {
    const auto differs = static_cast<std::uint64_t>(event.time_ns ^ last_ns_);
    const auto bucket = static_cast<std::size_t>(std::bit_width(differs));
    buckets_[bucket].push_back(event);
    filled_ |= std::uint64_t{1} << bucket;
  }
  /// Share the first bucket with events out to those before it: the earliest go to bucket 0.
  void go_on() {
    std::vector<SimEvent>& first = buckets_[first_bucket()];
    filled_ &= filled_ - 1;
    last_ns_ = std::ranges::min(first, {}, &SimEvent::time_ns).time_ns;
    for (const SimEvent& event : first) put(event);
    first.clear();
  }

  std::array<std::vector<SimEvent>, 64> buckets_;
  std::uint64_t filled_ = 0;  ///< a bit for each bucket with events
  std::size_t n_taken_ = 0;   ///< of bucket 0
  std::int64_t last_ns_ = 0;
};

}  // namespace thalweg::predict
