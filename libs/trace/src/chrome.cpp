// SPDX-License-Identifier: MIT
#include <thalweg/trace/chrome.hpp>

#include <cstdio>
#include <string>
#include <string_view>

namespace thalweg::trace {
namespace {

/// The text as a JSON string, quotes included.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + '"';
}

/// Nanoseconds as microseconds with three decimals, exactly.
std::string microseconds(std::int64_t ns) {
  char text[32];
  const bool is_negative = ns < 0;
  const std::uint64_t size =
      is_negative ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  std::snprintf(text, sizeof text, "%s%llu.%03llu", is_negative ? "-" : "",
                static_cast<unsigned long long>(size / 1000),
                static_cast<unsigned long long>(size % 1000));
  return text;
}

/// Writes the events as elements of one JSON array.
class Writer {
 public:
  Writer(std::ostream& out, const MemorySink& sink, Rank rank)
      : out_(out), sink_(sink), rank_(rank) {}

  void metadata() {
    begin("M", 0) << R"(,"name":"process_name","args":{"name":"rank )" << rank_() << "\"}}";
    for (std::uint32_t w = 0; w < sink_.n_workers(); ++w)
      begin("M", w) << R"(,"name":"thread_name","args":{"name":"worker )" << w << "\"}}";
  }

  void event(const Event& e) {
    if (e.kind == EventKind::task) {
      begin("X", e.worker) << ",\"ts\":" << microseconds(e.start_ns)
                           << ",\"dur\":" << microseconds(e.end_ns - e.start_ns)
                           << ",\"name\":" << quoted(sink_.names()[e.name])
                           << ",\"cat\":\"task\",\"args\":{\"block\":\"" << e.block
                           << "\",\"level\":" << e.level << ",\"replay\":" << e.replay << "}}";
      return;
    }
    const std::uint64_t id = n_messages_++;
    for (const bool is_end : {false, true}) {
      begin(is_end ? "e" : "b", e.worker)
          << ",\"ts\":" << microseconds(is_end ? e.end_ns : e.start_ns) << ",\"id\":\"" << rank_()
          << '.' << id << "\",\"name\":" << quoted(sink_.names()[e.name])
          << ",\"cat\":" << (e.kind == EventKind::send ? "\"send\"" : "\"recv\"")
          << ",\"args\":{\"peer\":" << e.peer << ",\"bytes\":" << e.bytes
          << ",\"replay\":" << e.replay << "}}";
    }
  }

 private:
  /// Open an element; the caller closes it.
  std::ostream& begin(std::string_view phase, std::uint32_t worker) {
    out_ << (is_first_ ? "\n" : ",\n") << "{\"ph\":\"" << phase << "\",\"pid\":" << rank_()
         << ",\"tid\":" << worker;
    is_first_ = false;
    return out_;
  }

  std::ostream& out_;
  const MemorySink& sink_;
  Rank rank_;
  std::uint64_t n_messages_ = 0;
  bool is_first_ = true;
};

}  // namespace

void write_chrome_json(std::ostream& out, const MemorySink& sink, Rank rank) {
  out << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"schema\":\"thalweg-trace-1\",\"n_dropped\":"
      << sink.n_dropped() << "},\"traceEvents\":[";
  Writer writer(out, sink, rank);
  writer.metadata();
  for (std::uint32_t w = 0; w < sink.n_workers(); ++w)
    for (const Event& e : sink.events(w)) writer.event(e);
  out << "\n]}\n";
}

}  // namespace thalweg::trace
