// SPDX-License-Identifier: MIT
#include <thalweg/flow/transport.hpp>

#include <string>
#include <thread>

#include <thalweg/core/error.hpp>

namespace thalweg::flow {

Transport::InUse::InUse(Transport& transport, std::string_view user) : transport_(transport) {
  if (transport_.is_in_use_.exchange(true))
    throw Error(std::string(user) + " on rank " +
                std::to_string(transport_.name_of(transport_.rank())()) +
                " needs a transport that is in use (a graph with messages is running on it, or a "
                "collective between graphs: called in a task, or by another thread, both would "
                "get each other's messages); call it when that is over, or record its messages "
                "in the graph");
}

void Transport::yield() {
  std::this_thread::yield();
}

PreparedId Transport::prepare_send(std::span<const std::byte> bytes, Rank to, Channel channel,
                                   Tag tag) {
  return prepare({.is_recv = false,
                  .source = bytes.data(),
                  .target = nullptr,
                  .n_bytes = bytes.size(),
                  .peer = to,
                  .channel = channel,
                  .tag = tag});
}

PreparedId Transport::prepare_recv(std::span<std::byte> bytes, Rank from, Channel channel,
                                   Tag tag) {
  return prepare({.is_recv = true,
                  .source = nullptr,
                  .target = bytes.data(),
                  .n_bytes = bytes.size(),
                  .peer = from,
                  .channel = channel,
                  .tag = tag});
}

PreparedId Transport::prepare(const Prepared& operation) {
  if (free_.empty()) {
    prepared_.push_back(operation);
    free_.reserve(prepared_.capacity());  // so that forget() does not allocate
    return static_cast<PreparedId>(prepared_.size() - 1);
  }
  const PreparedId id = free_.back();
  free_.pop_back();
  prepared_[id] = operation;
  return id;
}

void Transport::start(PreparedId id, Ticket ticket) {
  const Prepared p = prepared_[id];
  if (p.is_recv)
    post_recv({p.target, p.n_bytes}, p.peer, p.channel, p.tag, ticket);
  else
    post_send({p.source, p.n_bytes}, p.peer, p.channel, p.tag, ticket);
}

void Transport::forget(PreparedId id) {
  free_.push_back(id);
}

}  // namespace thalweg::flow
