// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>
#include <thalweg/core/print_errors.hpp>

#include "wire.hpp"

namespace thalweg::trace::wire {
namespace {

using Reader = protozero::pbf_reader;

constexpr std::uint32_t most_ranks = 1 << 24;
constexpr std::int64_t latest_ns = std::int64_t{1} << 61;  // either side of 0: differences fit

void require(bool is_good, const char* what) {
  if (!is_good) throw Error(what);
}

/// A text that terminals and JSON take.
std::string text_of(Reader& from) {
  return printable(from.get_string());
}

template <class T, class Range>
std::vector<T> column(const Range& range) {
  return {range.begin(), range.end()};
}

/// Fill each element from a column, by set(element, value); the first column says how many there
/// are.
template <class T, class Range, class F>
void fill(std::vector<T>& list, bool& is_first, const Range& range, F set) {
  const auto n = static_cast<std::size_t>(range.size());
  if (is_first) list.resize(n);
  is_first = false;
  require(list.size() == n, "columns of different lengths");
  auto item = list.begin();
  for (const auto value : range) set(*item++, value);
}

/// The same of one member.
template <class T, class Range, class M>
void fill(std::vector<T>& list, bool& is_first, const Range& range, M T::* member) {
  fill(list, is_first, range,
       [member](T& item, auto value) { item.*member = static_cast<M>(value); });
}

/// The same, where a column holds the differences from one to the next.
template <class T, class Range, class M>
void fill_deltas(std::vector<T>& list, bool& is_first, const Range& range, M T::* member) {
  std::uint64_t sum = 0;
  fill(list, is_first, range, [&](T& item, std::int64_t delta) {
    sum += static_cast<std::uint64_t>(delta);
    item.*member = static_cast<M>(sum);
  });
}

void check(const GraphInfo& graph) {
  for (const NodeInfo& node : graph.nodes)
    require(node.name < graph.names.size(), "a node without a name");
  for (const auto* edges : {&graph.edges, &graph.wrap_edges})
    for (const Edge& e : *edges)
      require(e.from < graph.nodes.size() && e.to < graph.nodes.size(),
              "an edge to a node that is not there");
}

GraphInfo read_graph(Reader from) {
  GraphInfo graph;
  bool no_nodes = true, no_edges = true, no_wraps = true;
  while (from.next()) {
    switch (from.tag()) {
      case 1:
        graph.model = text_of(from);
        break;
      case 2:
        graph.depth = from.get_uint32();
        break;
      case 3:
        graph.names.push_back(text_of(from));
        break;
      case 4:
        fill(graph.nodes, no_nodes, from.get_packed_uint32(), &NodeInfo::name);
        break;
      case 5:
        fill(graph.nodes, no_nodes, from.get_packed_uint32(), [](NodeInfo& n, std::uint32_t v) {
          require(v < 8, "a node of an unknown kind");
          n.kind = static_cast<NodeKind>(v % 4);
          n.controls_termination = v >= 4;
        });
        break;
      case 6:
        fill(graph.nodes, no_nodes, from.get_packed_sint32(), &NodeInfo::level);
        break;
      case 7:
        fill(graph.nodes, no_nodes, from.get_packed_uint64(), &NodeInfo::block);
        break;
      case 8:
        fill(graph.nodes, no_nodes, from.get_packed_uint32(), &NodeInfo::peer);
        break;
      case 9:
        fill(graph.nodes, no_nodes, from.get_packed_uint32(), &NodeInfo::tag);
        break;
      case 10:
        fill(graph.nodes, no_nodes, from.get_packed_uint64(), &NodeInfo::bytes);
        break;
      case 11:
        fill_deltas(graph.edges, no_edges, from.get_packed_sint64(), &Edge::from);
        break;
      case 12:
        fill(graph.edges, no_edges, from.get_packed_uint32(), &Edge::to);
        break;
      case 13:
        fill_deltas(graph.wrap_edges, no_wraps, from.get_packed_sint64(), &Edge::from);
        break;
      case 14:
        fill(graph.wrap_edges, no_wraps, from.get_packed_uint32(), &Edge::to);
        break;
      default:
        from.skip();
    }
  }
  check(graph);
  return graph;
}

RunInfo read_run(Reader from) {
  RunInfo run;
  while (from.next()) {
    switch (from.tag()) {
      case 1:
        run.ordinal = from.get_uint64();
        break;
      case 2:
        run.graph = from.get_uint32();
        break;
      case 3:
        run.start_ns = from.get_sint64();
        break;
      case 4:
        run.end_ns = from.get_sint64();
        break;
      case 5:
        run.first_step = from.get_uint64();
        break;
      default:
        from.skip();
    }
  }
  return run;
}

std::vector<Event> read_events(Reader from) {
  std::vector<Event> events;
  bool is_first = true;
  std::vector<std::uint64_t> durations;
  std::uint64_t n_events = 0;
  while (from.next()) {
    switch (from.tag()) {
      case 1:
        fill(events, is_first, from.get_packed_uint32(), [](Event& e, std::uint32_t v) {
          require(v <= 3, "an event of an unknown kind");
          e.kind = static_cast<EventKind>(v);
        });
        break;
      case 2:
        fill(events, is_first, from.get_packed_uint32(), &Event::run);
        break;
      case 3:
        fill(events, is_first, from.get_packed_uint32(), &Event::node);
        break;
      case 4:
        fill_deltas(events, is_first, from.get_packed_sint64(), &Event::replay);
        break;
      case 5:
        fill_deltas(events, is_first, from.get_packed_sint64(), &Event::start_ns);
        break;
      case 6:
        durations = column<std::uint64_t>(from.get_packed_uint64());
        break;
      case 7:
        n_events = from.get_uint64();
        break;
      default:
        from.skip();
    }
  }
  require(durations.size() == events.size() && n_events == events.size(),
          "columns of different lengths");
  for (std::size_t i = 0; i < events.size(); ++i)
    events[i].end_ns =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(events[i].start_ns) + durations[i]);
  return events;
}

template <class T>
void check_times(const T& of) {
  for (const std::int64_t ns : {of.start_ns, of.end_ns})
    require(ns >= -latest_ns && ns <= latest_ns, "a time that cannot be");
}

void check(RankTrace& trace) {
  require(trace.n_ranks <= most_ranks, "a number of ranks that cannot be");
  require(trace.rank() < trace.n_ranks, "a rank beyond the number of ranks");
  require(!trace.events.empty() && trace.n_workers() <= 65536,
          "a number of workers that cannot be");
  for (const RunInfo& run : trace.runs) {
    require(run.graph < trace.graphs.size(), "a run of a graph that is not there");
    check_times(run);
  }
  for (std::uint32_t w = 0; w < trace.n_workers(); ++w)
    for (Event& e : trace.events[w]) {
      e.worker = static_cast<std::uint16_t>(w);
      require(e.run < trace.runs.size(), "an event of a run that is not there");
      require(e.end_ns >= e.start_ns, "an event that ends before it begins");
      check_times(e);
      if (e.kind == EventKind::idle) continue;
      require(e.node < trace.graph_of(e).nodes.size(), "an event of a node that is not there");
      require(static_cast<int>(trace.node_of(e).kind) == static_cast<int>(e.kind),
              "an event of another kind than its node");
    }
}

}  // namespace

RankTrace read(Reader record) {
  RankTrace trace;
  std::uint32_t found = 0;
  while (record.next()) {
    switch (record.tag()) {
      case 1:
        found = record.get_uint32();
        if (found != version)
          throw Error(fmt::format(
              "it has version {} of the format (this program reads version {}); read it with the "
              "program that wrote it",
              found, version));
        break;
      case 2:
        trace.rank = Rank(record.get_uint32());
        break;
      case 3:
        trace.n_ranks = record.get_uint32();
        break;
      case 4:
        trace.host = text_of(record);
        break;
      case 5:
        trace.steps.first = record.get_uint64();
        break;
      case 6:
        trace.steps.last = record.get_uint64();
        break;
      case 7:
        trace.n_dropped = record.get_uint64();
        break;
      case 8:
        trace.graphs.push_back(read_graph(record.get_message()));
        break;
      case 9:
        trace.runs.push_back(read_run(record.get_message()));
        break;
      case 10:
        trace.events.push_back(read_events(record.get_message()));
        break;
      default:
        record.skip();
    }
  }
  require(found == version, "no version");
  check(trace);
  return trace;
}

}  // namespace thalweg::trace::wire
