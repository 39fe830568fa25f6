// SPDX-License-Identifier: MIT
// The graph as text, for people (DOT) and for tools (JSON).
#include <charconv>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include <thalweg/core/json.hpp>
#include <thalweg/flow/graph.hpp>

namespace thalweg::flow {
namespace {

/// Write a number so that reading it gives the same bits; JSON has no infinities.
void write_number(std::ostream& out, double value) {
  char text[32];
  const auto [end, error] = std::to_chars(std::begin(text), std::end(text), value);
  if (std::isfinite(value))
    out.write(text, end - text);
  else
    out << "null";
}

/// Write a list, calling write(i) for each part of it.
template <class F>
void write_list(std::ostream& out, const char* name, std::size_t n, F write) {
  out << ",\n\"" << name << "\": [";
  for (std::size_t i = 0; i < n; ++i) {
    out << (i == 0 ? "\n" : ",\n");
    write(i);
  }
  out << "]";
}

/// Write edges as pairs: from, to.
void write_edges(std::ostream& out, const char* name, std::size_t n_nodes,
                 const detail::Adjacency& edges) {
  out << ",\n\"" << name << "\": [";
  const char* separator = "\n";
  for (std::uint32_t t = 0; t < n_nodes; ++t)
    for (const std::uint32_t s : edges[t])
      out << std::exchange(separator, ",\n") << '[' << t << ", " << s << ']';
  out << "]";
}

std::string_view to_string(NodeKind kind) {
  constexpr std::string_view names[] = {"task", "send", "recv", "barrier"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace

void Graph::dump_dot(std::ostream& out) const {
  out << "digraph thalweg {\n";
  for (std::uint32_t t = 0; t < n_nodes(); ++t) {
    const Node& node = recording_.nodes[t];
    out << "  n" << t << " [label=\"";
    for (const char c : recording_.names[node.name])
      out << (c == '"' || c == '\\' ? "\\" : "") << c;
    if (node.is_message()) {
      const Message& m = recording_.messages[node.message];
      out << (node.kind == NodeKind::send ? " to " : " from ") << m.peer() << " tag " << m.tag();
    }
    out << "\"" << (node.kind == NodeKind::task ? "" : ", shape=box") << "];\n";
  }
  for (std::uint32_t t = 0; t < n_nodes(); ++t) {
    for (const std::uint32_t s : recording_.successors[t])
      out << "  n" << t << " -> n" << s << ";\n";
    for (const std::uint32_t s : recording_.wraps[t])
      out << "  n" << t << " -> n" << s << " [style=dashed, constraint=false];\n";
  }
  out << "}\n";
}

void Graph::dump_json(std::ostream& out) const {
  out << "{\"schema\": \"thalweg-graph-1\", \"rank\": " << rank()()
      << ", \"n_ranks\": " << n_ranks() << ", \"model\": \"" << to_string(model_) << "\"";
  write_list(out, "phases", n_phases(),
             [&](std::size_t p) { out << json_string(phase_name(static_cast<std::uint32_t>(p))); });
  write_list(out, "nodes", n_nodes(), [&](std::size_t t) {
    const Node& node = recording_.nodes[t];
    // Keys are strings because readers of JSON keep 53 bits of a number.
    out << "{\"id\": " << t << ", \"name\": " << json_string(recording_.names[node.name])
        << ", \"kind\": \"" << to_string(node.kind) << "\", \"level\": " << node.level
        << ", \"block\": \"" << node.block << "\", \"phase\": ";
    if (t < n_tasks())
      out << position(TaskId(t)).phase;
    else
      out << "null";
    out << ", \"cost\": ";
    write_number(out, node.cost);
    out << ", \"priority\": " << node.priority << ", \"preferred_worker\": ";
    if (node.preferred_worker)
      out << *node.preferred_worker;
    else
      out << "null";
    out << ", \"controls_termination\": " << (node.controls_termination ? "true" : "false") << "}";
  });
  write_edges(out, "edges", n_nodes(), recording_.successors);
  write_edges(out, "wrap_edges", n_nodes(), recording_.wraps);
  write_list(out, "messages", n_messages(), [&](std::size_t i) {
    const Message& m = recording_.messages[i];
    out << "{\"node\": " << m.node() << ", \"kind\": \"" << to_string(node(m.node).kind)
        << "\", \"peer\": " << m.peer() << ", \"tag\": " << m.tag() << ", \"bytes\": " << m.n_bytes
        << "}";
  });
  out << "}\n";
}

}  // namespace thalweg::flow
