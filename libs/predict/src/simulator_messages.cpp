// SPDX-License-Identifier: MIT
// The part of the simulator about messages.
#include "simulator.hpp"

namespace thalweg::predict {

using trace::IdleCause;

void Simulator::post_receive(std::uint32_t r, SimItem item) {
  const std::uint32_t connection = connection_of(r, item);
  SimConnection& c = connections_[connection];
  ++c.n_posted;
  tracer_.post(r, item, replay_of(r, item), now_ns_);
  if (c.n_arrived < c.n_posted) return;
  const bool asks = is_long(job_.connections[connection]);
  ranks_[r].notices.push({connection, asks ? Notice::Kind::request : Notice::Kind::data});
}

void Simulator::post_send(std::uint32_t connection) {
  const Connection& which = job_.connections[connection];
  SimConnection& c = connections_[connection];
  c.posted_ns[c.n_begun++ % c.posted_ns.size()] = now_ns_;
  ++result_.n_messages;
  result_.n_message_bytes += which.n_bytes;
  if (is_long(which))
    events_.push(now_ns_ + network_.latency_ns(which), SimEvent::Kind::request, connection);
  else
    events_.push(network_.send(which, now_ns_).arrived_ns, SimEvent::Kind::arrival, connection);
}

/// Handle what the transport has to tell. @return whether the worker is busy with it
bool Simulator::handle_notice(std::uint32_t w) {
  const std::uint32_t r = workers_[w].rank;
  SimRank& rank = ranks_[r];
  const Notice notice = rank.notices.pop_first();
  const Connection& which = job_.connections[notice.connection];
  SimConnection& c = connections_[notice.connection];
  switch (notice.kind) {
    case Notice::Kind::data:
      rank.is_transport_taken = true;
      begin(w, Activity::receiving, notice.connection, network_.overhead_ns(which));
      return true;
    case Notice::Kind::request:
      events_.push(now_ns_ + network_.latency_ns(which), SimEvent::Kind::permission,
                   notice.connection);
      return false;
    case Notice::Kind::permission: {
      const Network::Times times = network_.send(which, now_ns_);
      events_.push(times.left_ns, SimEvent::Kind::departure, notice.connection);
      events_.push(times.arrived_ns, SimEvent::Kind::arrival, notice.connection);
      return false;
    }
    case Notice::Kind::departure: {
      const std::uint64_t k = c.n_sent++;
      const SimItem item = which.from_node | static_cast<SimItem>(k % rank.n_slots) << slot_shift;
      tracer_.complete(r, w - rank.first_worker, item, k, trace::EventKind::send, now_ns_);
      finish(r, item);
      return false;
    }
  }
  return false;
}

namespace {

/// Which message of a connection something happens to, counted from 0. The sender may have posted
/// others since; where that is more than one, their times take the place of its own.
std::uint64_t message_of(SimEvent::Kind kind, const SimConnection& c, bool is_long) {
  const bool is_at_sender = kind == SimEvent::Kind::permission || kind == SimEvent::Kind::departure;
  if (is_at_sender) return c.n_sent;
  return kind == SimEvent::Kind::arrival && is_long ? c.n_delivered : c.n_arrived;
}

}  // namespace

void Simulator::happen(const SimEvent& event) {
  if (event.kind == SimEvent::Kind::worker_done) return end_activity(event.of);
  if (event.kind == SimEvent::Kind::memory_done) return end_sharing(event.of);
  const Connection& which = job_.connections[event.of];
  SimConnection& c = connections_[event.of];
  reason_ = {IdleCause::message_in_flight,
             c.posted_ns[message_of(event.kind, c, is_long(which)) % c.posted_ns.size()]};
  std::uint32_t r = which.to_rank;
  Notice notice{event.of, Notice::Kind::data};
  switch (event.kind) {
    case SimEvent::Kind::arrival:
      // A long one comes when its receive is there; of a short one both may be first.
      if (is_long(which))
        ++c.n_delivered;
      else if (++c.n_arrived > c.n_posted)
        return;
      break;
    case SimEvent::Kind::request:
      if (++c.n_arrived > c.n_posted) return;
      notice.kind = Notice::Kind::request;
      break;
    case SimEvent::Kind::permission:
      r = which.from_rank;
      notice.kind = Notice::Kind::permission;
      break;
    case SimEvent::Kind::departure:
      r = which.from_rank;
      notice.kind = Notice::Kind::departure;
      break;
    case SimEvent::Kind::worker_done:
    case SimEvent::Kind::memory_done:
      break;
  }
  ranks_[r].notices.push(notice);
  settle(r);
}

}  // namespace thalweg::predict
