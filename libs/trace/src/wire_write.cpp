// SPDX-License-Identifier: MIT
#include <ranges>
#include <vector>

#include "wire.hpp"

namespace thalweg::trace::wire {
namespace {

using Writer = protozero::pbf_writer;

/// One value of each element, as a column.
template <class List, class F>
auto column(const List& list, F value) {
  std::vector<decltype(value(*list.begin()))> values;
  values.reserve(list.size());
  for (const auto& item : list) values.push_back(value(item));
  return values;
}

/// The same, as differences from one to the next; they wrap around where they have to.
template <class List, class F>
std::vector<std::int64_t> deltas(const List& list, F value) {
  std::vector<std::int64_t> values;
  values.reserve(list.size());
  std::uint64_t last = 0;
  for (const auto& item : list) {
    const auto now = static_cast<std::uint64_t>(value(item));
    values.push_back(static_cast<std::int64_t>(now - last));
    last = now;
  }
  return values;
}

void add_uint32(Writer& to, protozero::pbf_tag_type tag, const std::vector<std::uint32_t>& values) {
  to.add_packed_uint32(tag, values.begin(), values.end());
}
void add_uint64(Writer& to, protozero::pbf_tag_type tag, const std::vector<std::uint64_t>& values) {
  to.add_packed_uint64(tag, values.begin(), values.end());
}
void add_sint64(Writer& to, protozero::pbf_tag_type tag, const std::vector<std::int64_t>& values) {
  to.add_packed_sint64(tag, values.begin(), values.end());
}

void write(Writer to, const GraphInfo& graph) {
  to.add_string(1, graph.model);
  to.add_uint32(2, graph.depth);
  for (const std::string& name : graph.names) to.add_string(3, name);
  add_uint32(to, 4, column(graph.nodes, [](const NodeInfo& n) { return n.name; }));
  add_uint32(to, 5, column(graph.nodes, [](const NodeInfo& n) {
               return static_cast<std::uint32_t>(n.kind) + (n.controls_termination ? 4u : 0u);
             }));
  const auto levels = column(graph.nodes, [](const NodeInfo& n) { return n.level; });
  to.add_packed_sint32(6, levels.begin(), levels.end());
  add_uint64(to, 7, column(graph.nodes, [](const NodeInfo& n) { return n.block; }));
  add_uint32(to, 8, column(graph.nodes, [](const NodeInfo& n) { return n.peer; }));
  add_uint32(to, 9, column(graph.nodes, [](const NodeInfo& n) { return n.tag; }));
  add_uint64(to, 10, column(graph.nodes, [](const NodeInfo& n) { return n.bytes; }));
  add_sint64(to, 11, deltas(graph.edges, [](const Edge& e) { return e.from; }));
  add_uint32(to, 12, column(graph.edges, [](const Edge& e) { return e.to; }));
  add_sint64(to, 13, deltas(graph.wrap_edges, [](const Edge& e) { return e.from; }));
  add_uint32(to, 14, column(graph.wrap_edges, [](const Edge& e) { return e.to; }));
}

void write(Writer to, const RunInfo& run) {
  to.add_uint64(1, run.ordinal);
  to.add_uint32(2, run.graph);
  to.add_sint64(3, run.start_ns);
  to.add_sint64(4, run.end_ns);
  if (run.first_step) to.add_uint64(5, *run.first_step);
}

void write(Writer to, const std::vector<Event>& events) {
  to.add_uint64(7, events.size());
  add_uint32(to, 1,
             column(events, [](const Event& e) { return std::uint32_t{std::uint8_t(e.kind)}; }));
  add_uint32(to, 2, column(events, [](const Event& e) { return e.run; }));
  add_uint32(to, 3, column(events, [](const Event& e) { return e.node; }));
  add_sint64(to, 4, deltas(events, [](const Event& e) { return e.replay; }));
  add_sint64(to, 5, deltas(events, [](const Event& e) { return e.start_ns; }));
  add_uint64(to, 6, column(events, [](const Event& e) {
               return static_cast<std::uint64_t>(e.end_ns - e.start_ns);
             }));
}

}  // namespace

void write(Writer record, const RankTrace& trace) {
  record.add_uint32(1, version);
  record.add_uint32(2, trace.rank());
  record.add_uint32(3, trace.n_ranks);
  record.add_string(4, trace.host);
  if (!trace.steps.is_everything()) {
    record.add_uint64(5, trace.steps.first);
    record.add_uint64(6, trace.steps.last);
  }
  record.add_uint64(7, trace.n_dropped);
  for (const GraphInfo& graph : trace.graphs) write(Writer(record, 8), graph);
  for (const RunInfo& run : trace.runs) write(Writer(record, 9), run);
  for (const auto& events : trace.events) write(Writer(record, 10), events);
}

}  // namespace thalweg::trace::wire
