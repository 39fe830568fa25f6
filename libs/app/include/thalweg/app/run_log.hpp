// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include <thalweg/app/context.hpp>
#include <thalweg/app/run_description.hpp>
#include <thalweg/app/statistics.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::app {

/// How steps are shown to people.
enum class StepDisplay {
  lines,
  bar,  ///< one line that is rewritten, with the time left
  none,
};

/// How run.display of a deck is meant here: "auto" is a bar where standard output is a terminal and
/// no mpirun has started the program, which may show a terminal to ranks and write to a file.
StepDisplay step_display(std::string_view display);

/// Where a log goes.
struct LogTarget {
  std::string what = "text";  ///< run.log: "text", "json" or "both"
  std::string folder{};       ///< of log.jsonl, for "both"; empty: no file
  StepDisplay steps = StepDisplay::lines;
  std::int64_t interval = 1;     ///< of steps that have a line; the last has one, too [steps]
  std::FILE* terminal = stdout;  ///< of the bar
};

/// Something that happened between two steps.
struct LogEvent {
  std::string event;
  step::TimeState time_state{};
  std::string path{};  ///< of what was written; none: empty
  std::string text{};  ///< for people; none: they are not told
};

/// What a run says while it runs: a line a step and what happens between them, for people or as
/// JSON lines for programs, whose keys are listed in apps/thalweg/README.md.
///
/// Used on rank 0 by some worker, and between graphs on all ranks.
class RunLog {
 public:
  RunLog(const Context& context, LogTarget target, const step::TimeSettings& time, int n_levels);

  /// Say where the run begins, once nothing can refuse it any more.
  void start_at(const step::TimeState& start);
  /// Say for programs that the run begins, or goes on, and with what it is run.
  void begin(const RunDescription& description);
  /// Say how a step went, and add it up.
  void operator()(const StepStatistics& statistics);
  /// Say that something happened.
  void log_event(const LogEvent& note, LogLevel level = LogLevel::info);
  /// Say for programs that the run failed; from any rank, but on others than 0 only to a file.
  void fail(const step::TimeState& time_state, std::string_view why);
  /// Say something to people only.
  void print(std::string_view line);
  /// Say how the run went as a whole.
  void summarise(const step::TimeState& end);

 private:
  double elapsed_s() const;
  double part_done(const step::TimeState& now) const;
  void show(const StepStatistics& statistics);
  void say(LogLevel level, std::string_view line);
  void clear_bar();
  void write_json(const std::string& line);
  void append_to_file(const std::string& line);
  /// Where the next line of the file goes; cuts away what is left of a line.
  std::uint64_t find_end();
  bool is_for_people() const { return target_.what != "json"; }
  bool is_for_programs() const { return target_.what != "text"; }

  const Context& context_;
  LogTarget target_;
  step::TimeSettings time_;
  int n_levels_;
  step::TimeState start_;
  std::int64_t start_ns_;
  std::optional<std::uint64_t> file_bytes_;  ///< up to our last line; none: nothing was written yet
  bool lacks_lines_ = false;                 ///< the file, and that has been said
  std::optional<double> bar_shown_s_;        ///< since the start, when the bar was written last
  bool is_bar_shown_ = false;
  std::int64_t n_lines_ = 0;  ///< of steps that were shown
  double zone_updates_ = 0;
  numerics::Fallbacks fallbacks_;
  std::int64_t n_retries_ = 0;
  double in_steps_s_ = 0;
  double in_tasks_s_ = 0;
};

}  // namespace thalweg::app
