// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <map>

#include <thalweg/trace/history.hpp>

namespace thalweg::trace {

/// What the network takes for messages, as far as a history tells: that one was seen complete is
/// known, not when it was, as a worker looks between its tasks.
///
/// None takes longer than the quickest one that is at least as large, nor than the quickest of any
/// smaller size as often as it takes to send as much: of messages between ranks of one host, or of
/// those between hosts. Nor longer than it was seen to take.
class MessageTimes {
 public:
  explicit MessageTimes(const History& history);

  /// From when both ends are posted to the receive's earliest end; 0 where nothing says how long.
  std::int64_t of_recv_ns(std::uint32_t recv) const;
  /// From when a send is posted to its own earliest end.
  std::int64_t of_send_ns(std::uint32_t send) const;

 private:
  static constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();
  /// The least time of messages, by bytes.
  using Least = std::map<std::uint64_t, std::int64_t>;
  enum Way : std::uint8_t { in_host, between_hosts };

  const NodeInfo& node_of(std::uint32_t message) const;
  Way way_of(std::uint32_t message) const;
  /// Learn from a message how long one of its size may take. @param since_ns  from when, to its end
  void learn(std::array<Least, 2>& least, std::uint32_t message, std::int64_t since_ns);
  static void compare_sizes(Least& least);
  std::int64_t find(const std::array<Least, 2>& least, std::uint32_t message) const;

  const History& history_;
  std::map<std::uint32_t, std::uint32_t> traces_;  ///< by rank
  std::array<Least, 2> recvs_, sends_;             ///< by way
};

}  // namespace thalweg::trace
