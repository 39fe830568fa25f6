// SPDX-License-Identifier: MIT
#include <thalweg/backends/detail/message_service.hpp>

#include <algorithm>
#include <thread>

#include <thalweg/core/exception_words.hpp>

namespace thalweg::backends::detail {

void MessageService::hand_in(std::uint32_t node, Event event) {
  change([&] { handed_in_.push_back({node, event}); });
}

void MessageService::communicate(const std::function<bool()>& is_over) {
  while (take(is_over)) {
    if (run_.has_failed()) {
      abandon();
      continue;
    }
    bool has_moved = !taken_.empty();
    try {
      has_moved = move_on() || has_moved;
    } catch (const std::exception& e) {
      run_.fail("communication failed on rank " + std::to_string(transport_.rank()()) + ": " +
                words_of(e));
    } catch (...) {
      stranger_ = std::current_exception();
      run_.fail("the transport threw something that is not a std::exception");
    }
    if (!has_moved) std::this_thread::yield();
  }
}

bool MessageService::take(const std::function<bool()>& is_over) {
  std::unique_lock lock(mutex_);
  // With nothing in flight there is nothing to poll for; tasks go on without us.
  if (n_in_flight_ == 0) changed_.wait(lock, [&] { return !handed_in_.empty() || is_over(); });
  if (is_over()) return false;
  taken_.insert(taken_.end(), handed_in_.begin(), handed_in_.end());
  handed_in_.clear();
  return true;
}

bool MessageService::move_on() {
  const flow::Graph& graph = run_.graph();
  // Receives first: a message that finds its receive posted is not copied aside. From the back, so
  // that what is left after an exception is what was not posted.
  std::ranges::stable_partition(taken_, [&](const Item& i) {
    return graph.node(flow::TaskId(i.node)).kind == flow::NodeKind::recv;
  });
  std::ranges::reverse(taken_);
  while (!taken_.empty()) {
    const Item next = taken_.back();
    taken_.pop_back();
    post(graph.node(flow::TaskId(next.node)), next.event);
  }
  if (n_in_flight_ == 0) return false;
  completed_.clear();
  transport_.poll(completed_);
  n_in_flight_ -= completed_.size();
  for (const flow::Ticket ticket : completed_) {
    fulfil_(std::exchange(events_[ticket], 0));
    free_.push_back(ticket);
  }
  return !completed_.empty();
}

void MessageService::post(const flow::Node& node, Event event) {
  const flow::Message& m = run_.graph().message(node.message);
  if (free_.empty()) {
    free_.push_back(static_cast<flow::Ticket>(events_.size()));
    events_.push_back(0);
  }
  const flow::Ticket ticket = free_.back();
  free_.pop_back();
  events_[ticket] = event;
  ++n_in_flight_;
  if (node.kind == flow::NodeKind::recv)
    transport_.post_recv({m.target, m.n_bytes}, m.peer, flow::Channel::graph, m.tag, ticket);
  else
    transport_.post_send({m.source, m.n_bytes}, m.peer, flow::Channel::graph, m.tag, ticket);
}

void MessageService::abandon() {
  for (const Item& item : taken_) fulfil_(item.event);
  taken_.clear();
  for (Event& event : events_)
    if (event != 0) fulfil_(std::exchange(event, 0));
  n_in_flight_ = 0;
}

}  // namespace thalweg::backends::detail
