// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/app/context.hpp>
#include <thalweg/core/complaints.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/trace/sink_memory.hpp>

namespace thalweg::app {

/// The name of the file a traced run leaves in its folder.
inline constexpr const char* trace_file_name = "trace.pftrace";

/// The parameters of a deck's section "trace".
std::vector<io::Parameter> trace_parameters();

/// Say whether a deck's section "trace" can be meant. @errors throws Error saying why not
void check_tracing(const io::Deck& deck, int n_ranks);

/// What a program without a deck is asked to trace.
struct TraceRequest {
  std::string file{};         ///< to write at the end; "": nothing is traced
  trace::StepWindow steps{};  ///< all: and what is run before and after them

  bool operator==(const TraceRequest&) const = default;
};

/// Complain of steps that cannot be meant. @param option  that gives them, with its hyphens
void check_request(const TraceRequest& request, std::string_view option, Complaints& complaints);
/// The option as it was given.
std::string asked_steps(const TraceRequest& request, std::string_view option);

/// Traces the steps and ranks a program is asked for, while they run as they would without.
class Tracing {
 public:
  /// @pre check_tracing(deck, n_ranks) has passed
  Tracing(const io::Deck& deck, Rank rank, std::uint32_t n_workers);
  /// On all ranks, with room for 4 million events a worker at most.
  Tracing(const TraceRequest& request, std::uint32_t n_workers);

  /// For the executor: null where nothing is traced on this rank.
  trace::Sink* sink() { return sink_ ? &*sink_ : nullptr; }
  bool is_on() const { return is_on_; }
  /// Whether a run that went on after step `from` and has come to step `to` has done any that was
  /// to be traced, on some rank.
  bool has_traced(std::int64_t from, std::int64_t to) const {
    return is_on_ && static_cast<std::uint64_t>(to) >= steps_.first &&
           static_cast<std::uint64_t>(from) + 1 < steps_.last;
  }
  /// Replace a file by the parts of all ranks, of a run that went on after step `from` and has come
  /// to step `to`. Collective.
  /// @param asked  how a user has said which steps
  /// @errors on all ranks alike, where none was traced, too; the old file is as it was
  Result<void> write(const Context& context, const std::string& path, std::string_view asked,
                     std::int64_t from, std::int64_t to) const;

 private:
  bool is_on_;
  trace::StepWindow steps_;
  std::optional<trace::MemorySink> sink_;
};

/// Write the trace that a program without a deck is asked for, or warn on stderr of why there is
/// none: its results are not lost with it. Collective. The rest as Tracing::write.
void leave_trace(const Tracing& tracing, const Context& context, const TraceRequest& request,
                 std::string_view option, std::int64_t from, std::int64_t to);

}  // namespace thalweg::app
