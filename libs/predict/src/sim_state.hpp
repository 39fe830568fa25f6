// SPDX-License-Identifier: MIT
// What the simulator keeps of ranks, workers and connections.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <thalweg/predict/job.hpp>

namespace thalweg::predict {

/// A node of a rank in one of the replays in flight: its number, and above it the slot.
using SimItem = std::uint32_t;
inline constexpr std::uint32_t slot_shift = 28;
inline constexpr std::uint32_t node_mask = (1u << slot_shift) - 1;

/// A list from whose both ends things are taken.
template <class T>
class TwoEnded {
 public:
  bool is_empty() const { return first_ == items_.size(); }
  void push(T item) { items_.push_back(item); }
  T pop_last() {
    const T item = items_.back();
    items_.pop_back();
    if (is_empty()) clear();
    return item;
  }
  T pop_first() {
    const T item = items_[first_++];
    if (is_empty()) clear();
    return item;
  }

 private:
  void clear() {
    items_.clear();
    first_ = 0;
  }
  std::vector<T> items_;
  std::size_t first_ = 0;
};

/// What a rank's transport tells whoever polls it.
struct Notice {
  enum class Kind : std::uint8_t {
    data,        ///< a message is there, and its receive is posted
    request,     ///< a long one may be asked for
    permission,  ///< a long one may be sent
    departure,   ///< a long one has left
  };
  std::uint32_t connection = 0;
  Kind kind = Kind::data;
};

/// What most events of a worker change, in one line of cache: thousands of workers take turns.
struct alignas(64) SimWorker {
  enum class Activity : std::uint8_t { idle, task, posting, receiving };

  std::uint32_t rank = 0;
  Activity activity = Activity::idle;
  SimItem item = 0;              ///< of the activity; of receiving: the connection
  std::int64_t since_ns = 0;     ///< when it began
  std::int64_t overhead_ns = 0;  ///< of a task, before its body
  // Of what has ended so far.
  std::int64_t all_work_ns = 0;
  std::int64_t all_overhead_ns = 0;
};

struct SimRank {
  const RankGraph* graph = nullptr;
  std::uint32_t first_worker = 0;
  std::uint32_t n_classes = 1;  ///< of priority
  std::size_t first_list = 0;   ///< of ready tasks: its workers', by class
  std::size_t first_left = 0;   ///< of what its nodes wait for, by slot and node
  std::uint32_t n_nodes = 0;
  std::uint32_t n_idle = 0;   ///< workers
  std::uint32_t n_ready = 0;  ///< tasks, over all workers
  std::uint32_t n_slots = 2;
  bool is_transport_taken = false;
  bool has_termination_node = false;
  TwoEnded<SimItem> to_receive, to_send;
  TwoEnded<Notice> notices;

  std::uint64_t n_issued = 0, n_complete = 0, n_decided = 0;  ///< replays
  std::array<std::uint32_t, 8> n_left{};                      ///< of slot: nodes not over
  std::array<std::uint64_t, 8> replay{};                      ///< of slot

  bool has_work() const {
    return n_ready > 0 || !to_receive.is_empty() || !to_send.is_empty() || !notices.is_empty();
  }
};

/// A set of workers of each rank, a bit a worker: what is looked at after each event.
class WorkerSets {
 public:
  /// @param is_full  whether all workers are in it at first
  WorkerSets(std::size_t n_ranks, std::uint32_t n_workers, bool is_full)
      : n_workers_(n_workers), n_words_((n_workers + 63) / 64), words_(n_ranks * n_words_) {
    if (!is_full) return;
    for (std::uint32_t r = 0; r < n_ranks; ++r)
      for (std::uint32_t w = 0; w < n_workers; ++w) insert(r, w);
  }
  void insert(std::uint32_t r, std::uint32_t w) {
    words_[r * n_words_ + w / 64] |= std::uint64_t{1} << w % 64;
  }
  void erase(std::uint32_t r, std::uint32_t w) {
    words_[r * n_words_ + w / 64] &= ~(std::uint64_t{1} << w % 64);
  }
  /// The first worker of a rank that is in all the sets and not before `from`; the number of
  /// workers if none is.
  template <class... More>
  std::uint32_t first(std::uint32_t r, std::uint32_t from, const More&... more) const {
    for (std::uint32_t w = from; w < n_workers_; w = (w / 64 + 1) * 64) {
      const std::size_t i = r * n_words_ + w / 64;
      if (const std::uint64_t word = (words_[i] & ... & more.words_[i]) >> w % 64; word != 0)
        return w + static_cast<std::uint32_t>(std::countr_zero(word));
    }
    return n_workers_;
  }

 private:
  std::uint32_t n_workers_;
  std::size_t n_words_;  ///< of a rank
  std::vector<std::uint64_t> words_;
};

/// The k-th send, arrival and receive of a connection belong together.
struct SimConnection {
  std::uint64_t n_begun = 0;                ///< sends that were posted
  std::uint64_t n_sent = 0;                 ///< nodes that are over
  std::uint64_t n_arrived = 0;              ///< messages, or requests of long ones
  std::uint64_t n_delivered = 0;            ///< long ones whose data is there
  std::uint64_t n_posted = 0;               ///< receives
  std::uint64_t n_received = 0;             ///< nodes that are over
  std::array<std::int64_t, 2> posted_ns{};  ///< of the last two sends
};

}  // namespace thalweg::predict
