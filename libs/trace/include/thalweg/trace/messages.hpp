// SPDX-License-Identifier: MIT
#pragma once
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/trace/rank_trace.hpp>

namespace thalweg::trace {

/// What a message is known by on both sides. All ranks do the same runs, so their ordinals agree.
struct MessageKey {
  std::uint64_t ordinal;  ///< of the run
  std::uint64_t replay;
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t tag;

  auto operator<=>(const MessageKey&) const = default;
};

/// The key of a send's or a receive's event.
MessageKey message_key(const RankTrace& trace, const Event& event);
/// A number for the key, the same on both sides; two messages share one with chance 2^-64.
std::uint64_t message_id(const MessageKey& key);

/// An event of one of several traces.
struct EventRef {
  std::uint32_t trace;
  std::uint32_t worker;
  std::uint32_t index;

  bool operator==(const EventRef&) const = default;
};

/// The two ends of one message.
struct MessagePair {
  EventRef send;
  EventRef recv;

  bool operator==(const MessagePair&) const = default;
};

/// Find the messages of which both ends were traced, sorted by key.
std::vector<MessagePair> match_messages(std::span<const RankTrace> traces);

/// What to add to the times of each trace so that all have the first one's clock.
///
/// Ranks of one host share a clock: 0. Others differ by an offset that is constant in a trace; it
/// is taken such that the quickest message each way between two ranks takes the same time, along a
/// chain of ranks that exchange messages. Ranks that exchange none are taken as they are.
/// @source Cristian, "Probabilistic clock synchronization", Distributed Computing 3 (1989) 146
std::vector<std::int64_t> clock_offsets(std::span<const RankTrace> traces);

}  // namespace thalweg::trace
