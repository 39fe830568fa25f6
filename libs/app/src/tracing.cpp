// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <thalweg/app/shared_text.hpp>
#include <thalweg/app/tracing.hpp>
#include <thalweg/core/host_name.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/trace/file.hpp>

namespace thalweg::app {

namespace {

using Integers = std::vector<std::int64_t>;

/// Of a worker, where nobody says how many.
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
                  "Trace events stored per worker (40 bytes each); further ones are dropped and "
                  "counted.",
                  io::Range::between(1, 1e9)),
  });
}

void check_tracing(const io::Deck& deck, int n_ranks) {
  const Integers& steps = deck.integers("trace.steps");
  if (!steps.empty() && (steps.size() != 2 || steps[1] <= steps[0]))
    throw Error(fmt::format(
        "trace.steps = [{}] (it takes two numbers, the first step to trace and the first one after "
        "them); [10, 12] traces steps 10 and 11",
        joined_text(steps)));
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
  if (steps.last <= steps.first || (steps.first == 0 && !steps.is_everything()))
    complaints.add(
        fmt::format("{} (it takes the first step to trace, from 1 on, and the first one after "
                    "them); {} 10 12 traces steps 10 and 11",
                    asked_steps(request, option), option));
}

std::string asked_steps(const TraceRequest& request, std::string_view option) {
  return fmt::format("{} {} {}", option, request.steps.first, request.steps.last);
}

Tracing::Tracing(const TraceRequest& request, std::uint32_t n_workers)
    : is_on_(!request.file.empty()), steps_(request.steps) {
  if (is_on_)
    sink_.emplace(trace::MemorySink::Config{
        .n_workers = n_workers, .n_events_per_worker = most_events, .steps = steps_});
}

Result<void> Tracing::write(const Context& context, const std::string& path, std::string_view asked,
                            std::int64_t from, std::int64_t to) const {
  if (to == from) return std::unexpected(Failure{"the run made no step"});
  if (!has_traced(from, to))
    return std::unexpected(
        Failure{fmt::format("{} has none of the run's steps, {} to {}", asked, from + 1, to)});
  auto& transport = context.transport;
  std::string part;
  if (sink_) {
    if (sink_->n_dropped() > 0)
      context.log.rank(LogLevel::warn,
                       fmt::format("the trace lacks {} events: its buffers were full; trace fewer "
                                   "steps, or in a deck raise trace.max_events",
                                   sink_->n_dropped()));
    part = trace::perfetto_part(sink_->trace(
        transport.rank(), static_cast<std::uint32_t>(transport.n_ranks()), host_name()));
  }
  return replace_by_shared_text(context, path, {{.heading = "", .lines = std::move(part)}});
}

void leave_trace(const Tracing& tracing, const Context& context, const TraceRequest& request,
                 std::string_view option, std::int64_t from, std::int64_t to) {
  if (!tracing.is_on()) return;
  // On stdout are the program's own lines, or none where it is to be quiet.
  Logger on_stderr(stderr, context.transport.rank());
  const auto done = tracing.write(with_log(context, on_stderr), request.file,
                                  asked_steps(request, option), from, to);
  if (!done) on_stderr.world(LogLevel::warn, fmt::format("no trace: {}", done.error().message));
}

}  // namespace thalweg::app
