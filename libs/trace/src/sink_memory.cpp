// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/trace/sink_memory.hpp>

namespace thalweg::trace {
namespace {

/// No event of the present run has said yet whether its window is open.
constexpr std::int64_t unknown_ns = 0;
/// From the first event on.
constexpr std::int64_t always_ns = 1;

std::uint64_t add_saturating(std::uint64_t a, std::uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

}  // namespace

MemorySink::MemorySink(const Config& config)
    : buffers_(config.n_workers), most_events_(config.n_events_per_worker), steps_(config.steps) {}

bool MemorySink::begin_run(const RunStart& run) {
  if (run.n_workers > n_workers())
    throw Error("a run of " + std::to_string(run.n_workers) +
                " workers is traced into buffers of " + std::to_string(n_workers()) +
                " (events of the others have no place); give MemorySink::Config::n_workers the "
                "number of the executor");
  const std::uint64_t ordinal = n_runs_++;
  bool is_wanted = false;
  is_whole_ = true;
  if (run.first_step) {
    const std::uint64_t first = *run.first_step, end = add_saturating(first, run.n_replays);
    next_step_ = end;
    is_wanted = first < steps_.last && end > steps_.first;
    // What else is in flight while a step of the window is.
    const std::uint64_t from = steps_.first - std::min<std::uint64_t>(run.depth, steps_.first);
    const std::uint64_t to = add_saturating(steps_.last, run.depth);
    is_whole_ = from <= first && end <= to;
    first_ = std::max(from, first) - first;
    last_ = to - std::min(to, first);
  } else {
    // Between two steps of the window, as a regrid is.
    is_wanted = steps_.is_everything() || (next_step_ > steps_.first && next_step_ < steps_.last);
  }
  if (!is_wanted) return false;
  open_ns_.store(first_ == 0 ? always_ns : unknown_ns, std::memory_order_relaxed);
  close_ns_.store(never_ns, std::memory_order_relaxed);
  n_replays_ = run.n_replays;
  runs_.push_back({.ordinal = ordinal, .start_ns = run.start_ns, .first_step = run.first_step});
  return true;
}

void MemorySink::describe(GraphInfo graph) {
  make_room(is_whole_ ? n_replays_ : last_ - first_, graph.nodes.size());
  // A graph that is run again and again is kept once.
  if (graphs_.empty() || graphs_.back() != graph) graphs_.push_back(std::move(graph));
  runs_.back().graph = static_cast<std::uint32_t>(graphs_.size() - 1);
}

void MemorySink::make_room(std::uint64_t n_replays, std::size_t n_nodes) {
  // A task or message, and idle time before it; and some more, as idle time may be cut.
  const std::uint64_t of_replay = 3 * n_nodes + 1000;
  for (Buffer& buffer : buffers_) {
    const std::size_t n = buffer.events.size();
    if (n >= most_events_) continue;
    const std::uint64_t more =
        n_replays < most_events_ / of_replay ? n_replays * of_replay : most_events_;
    const std::size_t wanted = std::min<std::uint64_t>(n + more, most_events_);
    // Twice as much, so that many short runs copy an event a few times at most.
    if (wanted > buffer.events.capacity())
      buffer.events.reserve(std::min(std::max(wanted, 2 * buffer.events.capacity()), most_events_));
  }
}

void MemorySink::end_run(std::int64_t end_ns) {
  runs_.back().end_ns = end_ns;
}

/// Whether an event of a run that reaches beyond the window belongs to it.
///
/// A replay that comes `depth` before another is complete when that one starts. So when the first
/// event of the window's first step starts, the window is open, and when the last one of its last
/// step ends it is not yet closed: idle time around them is kept, however long it is.
bool MemorySink::is_wanted(const Event& event) {
  if (event.kind == EventKind::idle) {
    const std::int64_t open_ns = open_ns_.load(std::memory_order_relaxed);
    return event.end_ns > open_ns && event.start_ns < close_ns_.load(std::memory_order_relaxed);
  }
  std::int64_t seen = open_ns_.load(std::memory_order_relaxed);
  if (event.replay < first_) {
    if (seen == unknown_ns)
      open_ns_.compare_exchange_strong(seen, never_ns, std::memory_order_relaxed);
    return false;
  }
  if (event.replay >= last_) {
    if (close_ns_.load(std::memory_order_relaxed) == never_ns)
      close_ns_.store(event.end_ns, std::memory_order_relaxed);
    return false;
  }
  if (seen == unknown_ns || seen == never_ns)
    open_ns_.compare_exchange_strong(seen, seen == never_ns ? event.start_ns : always_ns,
                                     std::memory_order_relaxed);
  return true;
}

void MemorySink::record(const Event& event) noexcept {
  THALWEG_EXPECT(event.worker < buffers_.size(), "no buffer for this worker");
  if (!is_whole_ && !is_wanted(event)) return;
  Buffer& buffer = buffers_[event.worker];
  if (buffer.events.size() == buffer.events.capacity()) {
    ++buffer.n_dropped;
    return;
  }
  buffer.events.push_back(event);
  buffer.events.back().run = static_cast<std::uint32_t>(runs_.size() - 1);
}

std::uint64_t MemorySink::n_dropped() const {
  std::uint64_t n = 0;
  for (const Buffer& buffer : buffers_) n += buffer.n_dropped;
  return n;
}

RankTrace MemorySink::trace(Rank rank, std::uint32_t n_ranks, std::string host) const {
  RankTrace trace{.rank = rank,
                  .n_ranks = n_ranks,
                  .host = std::move(host),
                  .steps = steps_,
                  .graphs = graphs_,
                  .runs = runs_,
                  .n_dropped = n_dropped()};
  for (const Buffer& buffer : buffers_) trace.events.push_back(buffer.events);
  return trace;
}

}  // namespace thalweg::trace
