// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <thalweg/core/hash.hpp>
#include <thalweg/trace/messages.hpp>

namespace thalweg::trace {
namespace {

struct Keyed {
  MessageKey key;
  EventRef ref;
};

std::vector<Keyed> keyed_events(std::span<const RankTrace> traces, EventKind kind) {
  std::vector<Keyed> all;
  for (std::uint32_t t = 0; t < traces.size(); ++t)
    for (std::uint32_t w = 0; w < traces[t].n_workers(); ++w)
      for (std::uint32_t i = 0; i < traces[t].events[w].size(); ++i)
        if (const Event& e = traces[t].events[w][i]; e.kind == kind)
          all.push_back({message_key(traces[t], e), {t, w, i}});
  std::ranges::sort(all, {}, &Keyed::key);
  return all;
}

const Event& event_at(std::span<const RankTrace> traces, const EventRef& ref) {
  return traces[ref.trace].events[ref.worker][ref.index];
}

}  // namespace

MessageKey message_key(const RankTrace& trace, const Event& event) {
  const NodeInfo& node = trace.node_of(event);
  const bool is_send = event.kind == EventKind::send;
  return {.ordinal = trace.runs[event.run].ordinal,
          .replay = event.replay,
          .from = is_send ? trace.rank() : node.peer,
          .to = is_send ? node.peer : trace.rank(),
          .tag = node.tag};
}

std::uint64_t message_id(const MessageKey& key) {
  std::uint64_t id = 0;
  for (const std::uint64_t part : {key.ordinal, key.replay, std::uint64_t{key.from},
                                   std::uint64_t{key.to}, std::uint64_t{key.tag}})
    id = hash_number(part, id);
  return id;
}

std::vector<MessagePair> match_messages(std::span<const RankTrace> traces) {
  const std::vector<Keyed> sends = keyed_events(traces, EventKind::send);
  const std::vector<Keyed> recvs = keyed_events(traces, EventKind::recv);
  std::vector<MessagePair> pairs;
  auto send = sends.begin();
  for (const Keyed& recv : recvs) {
    while (send != sends.end() && send->key < recv.key) ++send;
    if (send == sends.end()) break;
    if (send->key == recv.key) pairs.push_back({(send++)->ref, recv.ref});
  }
  return pairs;
}

std::vector<std::int64_t> clock_offsets(std::span<const RankTrace> traces) {
  std::vector<std::int64_t> offsets(traces.size(), 0);
  const bool is_one_host =
      std::ranges::all_of(traces, [&](const RankTrace& t) { return t.host == traces[0].host; });
  if (is_one_host) return offsets;

  // Of each directed pair: how long the quickest message took, as the two clocks have it.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> quickest;
  for (const MessagePair& pair : match_messages(traces)) {
    const std::int64_t took =
        event_at(traces, pair.recv).end_ns - event_at(traces, pair.send).start_ns;
    const auto [it, is_new] = quickest.try_emplace({pair.send.trace, pair.recv.trace}, took);
    if (!is_new) it->second = std::min(it->second, took);
  }
  const auto ahead = [&](std::uint32_t a, std::uint32_t b) -> std::optional<std::int64_t> {
    if (traces[a].host == traces[b].host) return 0;
    const auto there = quickest.find({a, b}), back = quickest.find({b, a});
    if (there == quickest.end() || back == quickest.end()) return std::nullopt;
    return (there->second - back->second) / 2;  // by which b's clock is ahead of a's
  };

  // Breadth first, so that errors add up over as few ranks as possible.
  std::vector<bool> is_known(traces.size(), false);
  std::vector<std::uint32_t> reached{0};
  is_known[0] = true;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (std::uint32_t b = 0; b < traces.size(); ++b) {
      if (is_known[b]) continue;
      const std::uint32_t a = reached[i];
      if (const auto by = ahead(a, b)) {
        offsets[b] = offsets[a] - *by;
        is_known[b] = true;
        reached.push_back(b);
      }
    }
  return offsets;
}

}  // namespace thalweg::trace
