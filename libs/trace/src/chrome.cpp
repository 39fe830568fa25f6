// SPDX-License-Identifier: MIT
#include <thalweg/trace/chrome.hpp>

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <thalweg/core/json.hpp>
#include <thalweg/trace/messages.hpp>

#include "window.hpp"

namespace thalweg::trace {
namespace {

/// Nanoseconds as microseconds with three decimals, exactly.
std::string microseconds(std::int64_t ns) {
  const auto bits = static_cast<std::uint64_t>(ns);
  const std::uint64_t size = ns < 0 ? 0 - bits : bits;
  return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", size / 1000, size % 1000);
}

/// Writes the events of a rank as elements of one JSON array.
class ChromeWriter {
 public:
  ChromeWriter(std::ostream& out, const RankTrace& trace, const char*& separator)
      : out_(out), trace_(trace), separator_(separator) {}

  void metadata() {
    begin("M", 0) << R"(,"name":"process_name","args":{"name":"rank )" << trace_.rank() << "\"}}";
    for (std::uint32_t w = 0; w < trace_.n_workers(); ++w)
      begin("M", w) << R"(,"name":"thread_name","args":{"name":"worker )" << w << "\"}}";
  }

  void event(const Event& e) {
    if (e.kind == EventKind::idle) {
      complete(e, "idle") << ",\"cat\":\"idle\"}";
      return;
    }
    const NodeInfo& node = trace_.node_of(e);
    if (e.kind == EventKind::task) {
      complete(e, trace_.name_of(e))
          << ",\"cat\":\"task\",\"args\":{\"block\":\"" << node.block
          << "\",\"level\":" << node.level << "," << when(e) << ",\"node\":" << e.node << "}}";
      return;
    }
    const std::uint64_t id = n_messages_++;
    for (const bool is_end : {false, true}) {
      begin(is_end ? "e" : "b", e.worker)
          << ",\"ts\":" << microseconds(is_end ? e.end_ns : e.start_ns) << ",\"id\":\""
          << trace_.rank() << '.' << id << "\",\"name\":" << json_string(trace_.name_of(e))
          << ",\"cat\":" << (e.kind == EventKind::send ? "\"send\"" : "\"recv\"")
          << ",\"args\":{\"peer\":" << node.peer << ",\"tag\":" << node.tag
          << ",\"bytes\":" << node.bytes << "," << when(e) << ",\"node\":" << e.node << "}}";
    }
  }

 private:
  /// The step of an event, as a member of an object; its replay where it is of none.
  std::string when(const Event& e) const {
    return fmt::format("\"{}\":{}", trace_.has_step(e) ? "step" : "replay", trace_.step_of(e));
  }
  /// Open an element; the caller closes it.
  std::ostream& begin(std::string_view phase, std::uint32_t worker) {
    out_ << std::exchange(separator_, ",\n") << "{\"ph\":\"" << phase
         << "\",\"pid\":" << trace_.rank() << ",\"tid\":" << worker;
    return out_;
  }
  std::ostream& complete(const Event& e, std::string_view name) {
    return begin("X", e.worker) << ",\"ts\":" << microseconds(e.start_ns)
                                << ",\"dur\":" << microseconds(e.end_ns - e.start_ns)
                                << ",\"name\":" << json_string(name);
  }

  std::ostream& out_;
  const RankTrace& trace_;
  const char*& separator_;
  std::uint64_t n_messages_ = 0;
};

/// What is said of all ranks together.
void write_other_data(std::ostream& out, std::span<const RankTrace> traces) {
  std::uint64_t n_dropped = 0;
  for (const RankTrace& trace : traces) n_dropped += trace.n_dropped;
  out << "{\"schema\":\"thalweg-trace-2\",\"n_dropped\":" << n_dropped;
  if (traces.empty()) {
    out << "}";
    return;
  }
  const RankTrace& first = traces.front();
  out << ",\"model\":" << json_string(first.graphs.empty() ? "" : first.graphs.front().model)
      << ",\"ranks\":" << first.n_ranks << ",\"ranks_traced\":" << traces.size();
  if (const StepWindow steps = traced_steps(traces); !steps.is_everything())
    out << ",\"steps\":[" << steps.first << "," << steps.last << "]";
  if (const auto window = find_window(traces, clock_offsets(traces)))
    out << ",\"window_us\":[" << microseconds(window->start_ns) << ","
        << microseconds(window->end_ns) << "],\"wall_ns\":" << window->length_ns();
  out << "}";
}

}  // namespace

void write_chrome_json(std::ostream& out, std::span<const RankTrace> traces) {
  out << "{\"displayTimeUnit\":\"ns\",\"otherData\":";
  write_other_data(out, traces);
  out << ",\"traceEvents\":[";
  const char* separator = "\n";
  for (const RankTrace& trace : traces) {
    ChromeWriter writer(out, trace, separator);
    writer.metadata();
    for (const auto& events : trace.events)
      for (const Event& e : events) writer.event(e);
  }
  out << "\n]}\n";
}

}  // namespace thalweg::trace
