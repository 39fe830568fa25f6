// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <thalweg/core/strong_id.hpp>

namespace thalweg::flow {

/// Which conversation a message belongs to; messages of different channels never match.
enum class Channel : std::uint8_t {
  graph,  ///< between nodes of graphs
  host,   ///< between the programs that build the graphs (collective.hpp)
  task,   ///< between tasks that are coroutines, with tags of their own choice
};

/// The number of a message between two ranks on a channel. Dense in a recording; how many there
/// may be is the transport's affair.
using Tag = StrongId<struct TagOf>;

/// The name whoever posts an operation gives it, returned when it completes.
using Ticket = std::uint32_t;

/// Something outside that will be over, such as an MPI_Request (comm/foreign_request.hpp).
struct Request {
  /// Whether it is over; may change the handle. Not asked again once it was.
  /// @threads one inside the transport at a time, and so not beside any of its operations
  /// @errors what it throws ends the run
  bool (*test)(std::uint64_t& handle) = nullptr;
  std::uint64_t handle = 0;
};

/// What a transport throws to unwind a rank of a simulation that is over. Not a std::exception, so
/// that nobody takes it for a failure; who catches all else lets it through.
struct RunEnded {};

/// The name of a send or receive that a transport was told of beforehand.
using PreparedId = std::uint32_t;

/// The ranks that share memory with one, itself included.
class ComputeNode {
 public:
  virtual ~ComputeNode() = default;

  /// Ranks of the compute node, ascending.
  virtual std::span<const Rank> ranks() const = 0;
  /// The first rank of each compute node there is, ascending.
  virtual std::span<const Rank> firsts() const = 0;
  /// Memory that all ranks of the compute node see, aligned for any type, and nobody holds yet. It
  /// can be lent again when no rank holds it any more. Collective among the ranks of the compute
  /// node.
  /// @pre the transport outlives it  @errors Error where there is none left
  virtual std::shared_ptr<std::byte> lend(std::size_t n_bytes) = 0;
};

/// Moves bytes between ranks: over MPI, or in a simulation.
///
/// Messages with one (source, destination, channel, tag) arrive in the order they were sent. A
/// receive is posted with the exact size of its message. Buffers stay untouched and alive until
/// completion. What is complete is told to whoever polls, so one run of a graph with messages or
/// one collective uses it at a time (InUse).
/// @threads one thread at a time; which one may change
class Transport {
 public:
  Transport(Rank rank, int n_ranks) : rank_(rank), n_ranks_(n_ranks) {}
  virtual ~Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  Rank rank() const { return rank_; }
  int n_ranks() const { return n_ranks_; }

  /// How long collectives between programs (collective.hpp) wait for one message before they
  /// abort(), naming the rank that it is from [s]; 0, as at first: for ever.
  double watchdog_s() const { return watchdog_s_; }
  void set_watchdog(double seconds) { watchdog_s_ = seconds; }

  /// Held by whoever sends and receives, until all that it has begun is over.
  class InUse {
   public:
    /// @param user what the error names
    /// @errors Error where another one is held
    InUse(Transport& transport, std::string_view user);
    ~InUse() { transport_.is_in_use_ = false; }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

   private:
    Transport& transport_;
  };

  /// Begin a send; returns at once.
  virtual void post_send(std::span<const std::byte> bytes, Rank to, Channel channel, Tag tag,
                         Ticket ticket) = 0;
  /// Begin a receive; returns at once.
  virtual void post_recv(std::span<std::byte> bytes, Rank from, Channel channel, Tag tag,
                         Ticket ticket) = 0;
  /// Tell of a send that will be begun many times; the buffer stays where it is until forget().
  /// A transport that gains nothing by it posts afresh each time.
  virtual PreparedId prepare_send(std::span<const std::byte> bytes, Rank to, Channel channel,
                                  Tag tag);
  /// Tell of a receive that will be begun many times.
  virtual PreparedId prepare_recv(std::span<std::byte> bytes, Rank from, Channel channel, Tag tag);
  /// Begin it; returns at once. @pre it is not under way
  virtual void start(PreparedId id, Ticket ticket);
  /// Forget it. @errors none
  virtual void forget(PreparedId id);
  /// How many are prepared and not forgotten.
  std::size_t n_prepared() const { return prepared_.size() - free_.size(); }

  /// Who shares memory with this rank; null where no rank does with another.
  virtual ComputeNode* compute_node() { return nullptr; }

  /// What messages call a rank of this transport: its number here or, where this one has some of
  /// the ranks of another transport, its number there.
  virtual Rank name_of(Rank rank) const { return rank; }

  /// Make progress, never waiting; append the tickets of the operations that completed.
  /// In a simulation this is where other ranks get to run.
  virtual void poll(std::vector<Ticket>& completed) = 0;
  /// Whether only the thread that runs the rank may use it: then an executor has one worker, or a
  /// picker, and no communication thread.
  virtual bool serves_one_thread() const { return false; }
  /// Let other threads have the core, after polls that found nothing. Where ranks share one thread
  /// there are none: there the polls let others run.
  virtual void yield();
  /// Where nothing has happened for too long, as told before abort(): ranks become stuck within
  /// moments, so abort() is to leave the others the time to say what they wait for.
  virtual void let_others_speak() {}
  /// End all ranks because this one cannot go on; the message has been logged.
  [[noreturn]] virtual void abort(std::string_view message) = 0;

 private:
  struct Prepared {
    bool is_recv;             ///< else a send: where there are no bytes, both pointers may be null
    const std::byte* source;  ///< of a send
    std::byte* target;        ///< of a receive
    std::size_t n_bytes;
    Rank peer;
    Channel channel;
    Tag tag;
  };
  PreparedId prepare(const Prepared& operation);

  Rank rank_;
  int n_ranks_;
  double watchdog_s_ = 0;
  std::atomic<bool> is_in_use_{false};
  std::vector<Prepared> prepared_;
  std::vector<PreparedId> free_;
};

}  // namespace thalweg::flow
