// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/flow/access.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::flow {

/// Many small messages of a phase as few: at most so many to and from each neighbour.
///
/// Collects what is to be sent and received; record() puts the parts for a neighbour into messages
/// of about equal size, with a task that packs each and one that unpacks it. A message of one part
/// goes straight from where it is to where it belongs.
///
/// @pre what one rank sends to another it sends in the order, and with the sizes, in which the
/// other one receives it; and both with the same max_comm_tasks
/// @threads one
class MessageBundle {
 public:
  /// @param name           of the tasks, for traces
  /// @param max_comm_tasks messages to one neighbour; 0: one a part
  MessageBundle(std::string name, int max_comm_tasks);

  template <Datum H>
  void send(const Use<Mode::in, H>& use, Rank to) {
    sends_[to].push_back({use.access(), std::as_bytes(std::span(use.view())), {}});
  }
  template <Datum H>
  void recv(const Use<Mode::out, H>& use, Rank from) {
    const std::span<std::byte> target = std::as_writable_bytes(std::span(use.view()));
    recvs_[from].push_back({use.access(), target, target});
  }
  /// Record what was collected, and begin anew: receives, then packing and sends, then unpacking.
  void record(Recorder& recorder, const TaskOptions& options = {.priority = 1});

 private:
  struct Part {
    Access access;
    std::span<const std::byte> bytes;
    std::span<std::byte> target;  ///< of a receive: the same bytes
  };
  using Parts = std::map<Rank, std::vector<Part>>;

  /// Call f(peer, parts) for each message.
  template <class F>
  void for_each_message(const Parts& all, F f) const;

  std::string name_;
  int max_comm_tasks_;
  Parts sends_;
  Parts recvs_;
};

}  // namespace thalweg::flow
