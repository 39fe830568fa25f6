// SPDX-License-Identifier: MIT
#pragma once
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

#include <thalweg/backends/detail/run.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::backends::detail {

/// The message service: tasks hand in their messages, and one thread talks to the transport for
/// all.
///
/// A task that stands for a message hands it in with the event that will end the task; it holds no
/// thread meanwhile. The thread in communicate() posts, polls and fulfils events: the one that
/// called run(), so that a transport which only knows that thread (a simulated network,
/// MPI_THREAD_FUNNELED) will do; with OpenMP of LLVM one of its own.
class MessageService {
 public:
  /// How a runtime names what ends one of its tasks: both fit into a pointer.
  using Event = std::uintptr_t;
  /// Let the task of an event be over. @threads the one in communicate()
  using Fulfil = std::function<void(Event)>;

  MessageService(Run& run, flow::Transport& transport, Fulfil fulfil)
      : run_(run), transport_(transport), fulfil_(std::move(fulfil)) {}

  /// Send or receive the message of a node. @threads any
  void hand_in(std::uint32_t node, Event event);
  /// Change what `is_over` looks at, and have it looked at again.
  ///
  /// Whoever is in communicate() sees the change only when this is as good as done, and may then
  /// end the service.
  /// @threads any
  template <class F>
  void change(F f) {
    const std::lock_guard lock(mutex_);
    f();
    changed_.notify_one();
  }
  /// Post and poll until something is so.
  ///
  /// When the run has failed, all messages count as complete; those in flight stay there.
  /// @param is_over looked at under a lock, when a message has moved, and after change()
  void communicate(const std::function<bool()>& is_over);
  /// Throw what came out of the transport and is no std::exception: a simulation that ends.
  void rethrow() const {
    if (stranger_) std::rethrow_exception(stranger_);
  }

 private:
  struct Item {
    std::uint32_t node;
    Event event;
  };

  bool take(const std::function<bool()>& is_over);
  bool move_on();
  void post(const flow::Node& node, Event event);
  void abandon();

  Run& run_;
  flow::Transport& transport_;
  Fulfil fulfil_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Item> handed_in_;

  // Of the thread in communicate().
  std::vector<Item> taken_;
  std::vector<Event> events_;  ///< by ticket; 0: free
  std::vector<flow::Ticket> free_;
  std::vector<flow::Ticket> completed_;
  std::size_t n_in_flight_ = 0;
  std::exception_ptr stranger_;
};

}  // namespace thalweg::backends::detail
