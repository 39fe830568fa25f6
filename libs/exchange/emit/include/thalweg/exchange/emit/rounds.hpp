// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/mesh/messages.hpp>

namespace thalweg::exchange {

/// What the mesh asks of all ranks together, over a transport; models mesh::Rounds.
///
/// Every rank makes the same calls in the same order, and not while a graph runs.
class TransportRounds {
 public:
  /// @param transport  must outlive this
  explicit TransportRounds(flow::Transport& transport) : transport_(&transport) {}

  template <flow::Sendable T>
  mesh::Messages<T> exchange(const mesh::Messages<T>& out) {
    return flow::exchange_sparse<T>(*transport_, std::span(out));
  }
  /// The same, where only an exchange is asked for.
  template <flow::Sendable T>
  mesh::Messages<T> operator()(const mesh::Messages<T>& out) {
    return exchange(out);
  }
  template <flow::Sendable T>
  std::vector<T> all_gather(const T& mine) {
    return flow::all_gather(*transport_, mine);
  }
  template <flow::Sendable T>
  std::vector<T> all_gather_many(std::span<const T> mine) {
    return flow::all_gather_v(*transport_, mine).values;
  }

 private:
  flow::Transport* transport_;
};

}  // namespace thalweg::exchange
