// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <thalweg/app/shared_text.hpp>
#include <thalweg/app/tracing.hpp>
#include <thalweg/trace/file.hpp>

#include "host_name.hpp"

namespace thalweg::app {

namespace {

using Integers = std::vector<std::int64_t>;

/// Room of a worker where nobody says how much; pages that nothing is written to cost nothing.
constexpr std::uint64_t most_events = 1 << 22;

trace::StepWindow window_of(const io::Deck& deck) {
  const Integers& steps = deck.integers("trace.steps");
  if (steps.empty()) return {.first = 0, .last = 0};
  return {static_cast<std::uint64_t>(steps[0]), static_cast<std::uint64_t>(steps[1])};
}

}  // namespace

std::vector<io::Parameter> trace_parameters() {
  return io::changeable({
      {.name = "trace.steps",
       .default_value = Integers{},
       .unit = "steps",
       .range = io::Range::at_least(1),
       .length = {0, 2},
       .doc = "Which steps to trace, [first, last + 1]; []: none."},
      {.name = "trace.ranks",
       .default_value = Integers{},
       .range = io::Range::at_least(0),
       .doc = "Ranks to trace; []: all."},
      io::integer("trace.max_events", 1 << 18, "events",
                  "Each worker has room for so many, 40 bytes each; more are dropped and counted.",
                  io::Range::between(1, 1e9)),
  });
}

void check_tracing(const io::Deck& deck, int n_ranks) {
  const Integers& steps = deck.integers("trace.steps");
  if (!steps.empty() && (steps.size() != 2 || steps[1] <= steps[0]))
    throw Error(fmt::format(
        "trace.steps = [{}] (it takes two numbers, the first step to trace and the first one after "
        "them); [10, 12] traces steps 10 and 11",
        fmt::join(steps, ", ")));
  for (const std::int64_t rank : deck.integers("trace.ranks"))
    if (rank >= n_ranks)
      throw Error(
          fmt::format("trace.ranks: there is no rank {} (this run has {}, from 0); leave it out",
                      rank, n_ranks));
}

Tracing::Tracing(const io::Deck& deck, Rank rank, std::uint32_t n_workers)
    : is_on_(!deck.integers("trace.steps").empty()), steps_(window_of(deck)) {
  const Integers& ranks = deck.integers("trace.ranks");
  const bool is_chosen =
      ranks.empty() || std::ranges::find(ranks, std::int64_t{rank()}) != ranks.end();
  if (is_on_ && is_chosen)
    sink_.emplace(trace::MemorySink::Config{
        .n_workers = n_workers,
        .n_events_per_worker = static_cast<std::size_t>(deck.integer("trace.max_events")),
        .steps = steps_});
}

void check_request(const TraceRequest& request, std::string_view option, Complaints& complaints) {
  const trace::StepWindow& steps = request.steps;
  if (request.file.empty() && !steps.is_everything())
    complaints.add(
        fmt::format("{} without --trace (there is no file to write them to); add it", option));
  if (steps.last <= steps.first)
    complaints.add(
        fmt::format("{0} {1} {2} (it takes the first step to trace and the first one after them); "
                    "{0} 10 12 traces steps 10 and 11",
                    option, steps.first, steps.last));
}

Tracing::Tracing(const TraceRequest& request, std::uint32_t n_workers)
    : is_on_(!request.file.empty()), steps_(request.steps) {
  if (is_on_)
    sink_.emplace(trace::MemorySink::Config{
        .n_workers = n_workers, .n_events_per_worker = most_events, .steps = steps_});
}

trace::MemorySink::Config room_for_replays(std::uint32_t n_workers, std::size_t n_nodes,
                                           std::uint64_t n_replays) {
  // A task or message, and idle time before it; and some more, as idle time may be cut.
  const std::uint64_t of_replay = 2 * n_nodes + 1000;
  const std::uint64_t wanted =
      n_replays < most_events / of_replay ? n_replays * of_replay : most_events;
  return {.n_workers = n_workers, .n_events_per_worker = wanted};
}

Result<void> write_trace(const Context& context, const trace::MemorySink* sink,
                         const std::string& path) {
  auto& transport = context.transport;
  std::string part;
  if (sink != nullptr) {
    if (sink->n_dropped() > 0)
      context.log.rank(LogLevel::warn,
                       fmt::format("the trace lacks {} events: its buffers were full (trace fewer "
                                   "steps, or more events with a deck's trace.max_events)",
                                   sink->n_dropped()));
    part = trace::perfetto_part(sink->trace(
        transport.rank(), static_cast<std::uint32_t>(transport.n_ranks()), host_name()));
  }
  return replace_by_shared_text(context, path, {{.heading = "", .lines = std::move(part)}});
}

}  // namespace thalweg::app
