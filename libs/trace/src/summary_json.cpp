// SPDX-License-Identifier: MIT
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <thalweg/core/json.hpp>
#include <thalweg/trace/summary.hpp>

namespace thalweg::trace {
namespace {

/// Write a list of objects, calling write(item) for what is inside of each.
template <class List, class F>
void write_list(std::ostream& out, std::string_view name, const List& list, F write) {
  fmt::print(out, ",\n\"{}\": [", name);
  const char* separator = "\n";
  for (const auto& item : list) {
    fmt::print(out, "{}{{", std::exchange(separator, ",\n"));
    write(item);
    fmt::print(out, "}}");
  }
  fmt::print(out, "]");
}

/// A number as JSON; null where it is not known.
template <class T>
std::string known(const Summary& s, T number) {
  return s.has_all_ranks() ? fmt::format("{}", number) : "null";
}

}  // namespace

void write_json(std::ostream& out, const Summary& s) {
  fmt::print(out,
             "{{\"schema\": \"thalweg-trace-summary-1\", \"model\": {}, \"ranks\": {}, "
             "\"ranks_traced\": {}",
             json_string(s.model), s.n_ranks, s.n_ranks_traced);
  if (!s.steps.is_everything())
    fmt::print(out, ", \"steps\": [{}, {}]", s.steps.first, s.steps.last);
  fmt::print(out, ", \"step_ns\": {}", s.step_ns ? fmt::format("{}", *s.step_ns) : "null");
  fmt::print(out,
             ",\n\"wall_ns\": {}, \"dropped\": {}, \"messages\": {}, \"message_bytes\": {}, "
             "\"ideal_network_ns\": {}, \"overlap_ratio\": {}",
             s.wall_ns, s.n_dropped, s.n_messages, s.message_bytes, known(s, s.ideal_network_ns),
             known(s, s.overlap_ratio));
  const Efficiencies& e = s.efficiencies;
  fmt::print(
      out,
      ",\n\"efficiencies\": {{\"parallel\": {}, \"load_balance\": {}, \"communication\": {}, "
      "\"serialisation\": {}, \"transfer\": {}}}",
      known(s, e.parallel), known(s, e.load_balance), known(s, e.communication),
      known(s, e.serialisation), known(s, e.transfer));
  write_list(out, "workers", s.workers, [&](const WorkerTiling& w) {
    fmt::print(out,
               "\"rank\": {}, \"worker\": {}, \"work_ns\": {}, \"overhead_ns\": {}, "
               "\"between_runs_ns\": {}, \"idle_ns\": {{",
               w.rank(), w.worker, w.work_ns, w.overhead_ns, w.outside_ns);
    for (std::size_t c = 0; c < n_idle_causes; ++c)
      fmt::print(out, "{}\"{}\": {}", c == 0 ? "" : ", ", key_of(static_cast<IdleCause>(c)),
                 w.idle_ns[c]);
    fmt::print(out, "}}");
  });
  write_list(out, "tasks", s.tasks, [&](const TaskStatistics& t) {
    fmt::print(out,
               "\"name\": {}, \"count\": {}, \"total_ns\": {}, \"mean_ns\": {}, \"p50_ns\": {}, "
               "\"p95_ns\": {}, \"p99_ns\": {}, \"max_ns\": {}",
               json_string(t.name), t.count, t.total_ns, t.mean_ns, t.p50_ns, t.p95_ns, t.p99_ns,
               t.max_ns);
  });
  fmt::print(out, ",\n\"critical_path\": {{\"length_ns\": {}, \"rank_changes\": {}",
             known(s, s.critical_path.length_ns), known(s, s.critical_path.n_rank_changes));
  write_list(out, "shares", s.critical_path.shares, [&](const PathShare& share) {
    fmt::print(out, "\"name\": {}, \"time_ns\": {}, \"count\": {}", json_string(share.name),
               share.time_ns, share.count);
  });
  fmt::print(out, "}}}}\n");
}

}  // namespace thalweg::trace
