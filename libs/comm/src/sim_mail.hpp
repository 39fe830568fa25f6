// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <thalweg/core/random.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::comm {

/// The messages of a simulated network: posted, under way, complete.
///
/// The n-th send and the n-th receive between two ranks, on one channel and tag, belong together,
/// as MPI has it. A pair completes some time after both are posted.
class SimMail {
 public:
  SimMail(int n_ranks, std::uint64_t seed, std::uint32_t max_delay);

  // @errors the posts and tick() throw RankError where a message has another size than its receive

  void post_send(Rank from, Rank to, flow::Channel channel, flow::Tag tag,
                 std::span<const std::byte> bytes, flow::Ticket ticket);
  void post_recv(Rank from, Rank to, flow::Channel channel, flow::Tag tag,
                 std::span<std::byte> bytes, flow::Ticket ticket);

  /// Let time pass, and what is due happen.
  void tick();
  std::uint64_t now() const { return now_; }
  /// When something last happened: a post or a completion.
  std::uint64_t last_event() const { return last_event_; }
  bool is_anything_under_way() const { return !events_.empty(); }

  /// Move the completed operations of a rank to the end of a list.
  void collect(Rank rank, std::vector<flow::Ticket>& completed);
  bool has_completed(Rank rank) const { return !ranks_[rank()].completed.empty(); }
  bool has_outstanding(Rank rank) const { return ranks_[rank()].n_outstanding != 0; }
  /// Whether any rank has posted something that found no counterpart.
  bool has_unmatched() const { return !waiting_.empty(); }
  /// What each rank has posted that found no counterpart, in words; empty where nothing is.
  std::vector<std::string> unmatched() const;

 private:
  using OperationId = std::size_t;
  struct Operation {
    flow::Ticket ticket = 0;
    Rank rank;  ///< that posted it
    Rank peer;
    flow::Channel channel{};
    flow::Tag tag;
    bool is_send = false;
    bool is_eager = false;     ///< completes for the sender without a receiver
    bool is_buffered = false;  ///< has done so
    bool is_arrived = false;
    bool is_live = false;
    std::span<const std::byte> source{};
    std::span<std::byte> target{};
    std::vector<std::byte> buffer{};
    std::optional<OperationId> mate{};
  };
  /// What a send and a receive that belong together have in common.
  struct Stream {
    Rank from, to;
    flow::Tag tag;
    flow::Channel channel;
    bool operator==(const Stream&) const = default;
  };
  struct HashOfStream {
    std::size_t operator()(const Stream& stream) const;
  };
  struct Event {
    std::uint64_t due;
    std::uint64_t number;  ///< events due at the same time happen in the order they were made
    OperationId operation;
    bool is_arrival;  ///< else the message leaves the sender's buffer
    bool operator>(const Event& o) const { return due != o.due ? due > o.due : number > o.number; }
  };
  struct RankState {
    std::vector<flow::Ticket> completed;
    std::size_t n_outstanding = 0;
  };

  OperationId add(Operation operation);
  void match(OperationId id, Rank from, Rank to);
  void schedule(OperationId id, std::uint64_t due, bool is_arrival);
  void deliver(OperationId send);
  void complete(const Operation& operation);
  std::uint64_t delay();
  static std::string describe(const Operation& operation);

  SplitMix64 random_;
  std::uint32_t max_delay_;
  std::uint64_t now_ = 0;
  std::uint64_t last_event_ = 0;
  std::uint64_t n_events_ = 0;
  std::vector<Operation> operations_;
  std::vector<OperationId> free_;
  std::unordered_map<Stream, std::vector<OperationId>, HashOfStream> waiting_;  ///< unpaired
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<RankState> ranks_;
};

}  // namespace thalweg::comm
