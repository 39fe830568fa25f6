// SPDX-License-Identifier: MIT
#include <thalweg/app/run_log.hpp>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <thalweg/app/output_folder.hpp>
#include <thalweg/comm/launcher.hpp>
#include <thalweg/core/counted.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/json.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/progress.hpp>

namespace thalweg::app {

namespace {

constexpr double bar_every_s = 0.1;
constexpr std::int64_t lines_per_header = 50;

double rate(double amount, double seconds) {
  return seconds > 0 ? amount / seconds : 0;
}

/// A number of millions with some significant digits, as many more as it has before the point.
std::string in_millions(double value, int n_digits) {
  const double millions = 1e-6 * value;
  return millions < std::pow(10.0, n_digits) ? fmt::format("{:.{}g}", millions, n_digits)
                                             : fmt::format("{:.0f}", millions);
}

std::string json_of(const numerics::Fallbacks& fallbacks) {
  return fmt::format(
      R"("limited_fluxes":{},"replaced_states":{},"raised_states":{},"unresolved_sources":{})",
      fallbacks.limited_fluxes, fallbacks.replaced_states, fallbacks.raised_states,
      fallbacks.unresolved_sources);
}

}  // namespace

StepDisplay step_display(std::string_view display) {
  if (display == "lines") return StepDisplay::lines;
  if (display == "bar") return StepDisplay::bar;
  if (display == "none") return StepDisplay::none;
  const bool is_seen = comm::n_ranks_started() == 0 && ::isatty(STDOUT_FILENO) == 1;
  return is_seen ? StepDisplay::bar : StepDisplay::lines;
}

RunLog::RunLog(const Context& context, LogTarget target, const step::TimeSettings& time,
               int n_levels)
    : context_(context),
      target_(std::move(target)),
      time_(time),
      n_levels_(n_levels),
      start_ns_(context.clock.now_ns()) {}

void RunLog::start_at(const step::TimeState& start) {
  start_ = start;
  if (target_.steps == StepDisplay::lines) print(io::progress_header(n_levels_));
}

std::uint64_t RunLog::find_end() {
  const std::string path = target_.folder + "/" + log_file_name;
  const auto file = context_.files.status(path);
  const std::uint64_t size = file && *file ? (*file)->size_bytes : 0;
  // Of a run that was killed a part of a line may be left; rank 0 may just be writing one.
  char last = '\n';
  const bool is_read =
      size > 0 && context_.files.read(path, size - 1, std::as_writable_bytes(std::span(&last, 1)));
  if (!is_read || last == '\n' || context_.transport.rank() != Rank{0}) return size;
  auto text = io::read_text(context_.files, path);
  if (!text) return size;
  text->resize(text->rfind('\n') + 1);  // no line: npos + 1, which is 0
  return io::write_text(context_.files, path, *text) ? text->size() : size;
}

double RunLog::elapsed_s() const {
  return 1e-9 * static_cast<double>(context_.clock.now_ns() - start_ns_);
}

double RunLog::part_done(const step::TimeState& now) const {
  return std::max((now.time - start_.time) / (time_.end - start_.time),
                  static_cast<double>(now.step - start_.step) /
                      static_cast<double>(time_.max_steps - start_.step));
}

void RunLog::say(LogLevel level, std::string_view line) {
  clear_bar();
  context_.log.world(level, line);
}

void RunLog::clear_bar() {
  if (!is_bar_shown_) return;
  std::fputs("\r\x1b[K", target_.terminal);  // erase in line: ECMA-48, 8.3.41
  std::fflush(target_.terminal);
  is_bar_shown_ = false;
}

void RunLog::show(const StepStatistics& s) {
  const bool is_due =
      s.time_state.step % target_.interval == 0 || step::is_over(s.time_state, time_);
  if (target_.steps == StepDisplay::none || (target_.steps == StepDisplay::lines && !is_due))
    return;
  const double part = part_done(s.time_state);
  // Steps grow and blocks multiply, so this is a guess.
  const double remaining = elapsed_s() * std::max(0.0, 1 - part) / part;
  const io::Progress progress{
      .step = s.time_state.step,
      .time = s.time_state.time,
      .dt = s.time_state.dt_before,
      .blocks_per_level = {s.blocks_per_level.begin(), s.blocks_per_level.end()},
      .zone_updates_per_s = rate(static_cast<double>(s.zone_updates), s.wall_s),
      .parallel_efficiency = s.parallel_efficiency,
      .memory_bytes = s.memory_bytes,
      .remaining_s = std::isfinite(remaining) ? std::optional(remaining) : std::nullopt};
  if (target_.steps == StepDisplay::lines) {
    if (n_lines_ > 0 && n_lines_ % lines_per_header == 0) print(io::progress_header(n_levels_));
    ++n_lines_;
    return print(io::progress_line(progress, n_levels_));
  }
  const double now_s = elapsed_s();
  if (bar_shown_s_ && now_s < *bar_shown_s_ + bar_every_s) return;
  bar_shown_s_ = now_s;
  clear_bar();
  const std::size_t n_columns = io::terminal_columns(::fileno(target_.terminal));
  std::fputs(io::progress_bar(progress, part, n_columns).c_str(), target_.terminal);
  std::fflush(target_.terminal);
  is_bar_shown_ = true;
}

void RunLog::begin(const RunDescription& description) {
  if (is_for_programs())
    write_json(fmt::format(R"({{"event":"begin","step":{},"time":{},{}}})", start_.step,
                           start_.time, json_of(description)));
}

void RunLog::operator()(const StepStatistics& s) {
  zone_updates_ += static_cast<double>(s.zone_updates);
  const bool may_warn = fallbacks_.unresolved_sources == 0;
  fallbacks_ += s.fallbacks;
  n_retries_ += s.time_state.n_retries;
  in_steps_s_ += s.wall_s;
  in_tasks_s_ += s.wall_s * s.parallel_efficiency;
  if (is_for_people()) {
    show(s);
    if (const int n = s.time_state.n_retries; n > 0)
      print(fmt::format("step {} was taken again {}: dt = {:g}", s.time_state.step,
                        counted(n, "time"), s.time_state.dt_before));
    if (may_warn && fallbacks_.unresolved_sources > 0)
      say(LogLevel::warn,
          fmt::format(
              "step {}: sources may act at a wrong rate in {} (counted in each stage), as dt "
              "is too long for them or their function cannot go backwards in time (does it "
              "forget dt?); take smaller steps, or set time.split_sources = true (on several "
              "levels with time.subcycle = false), or, of hydro, take vl2 or ctu",
              s.time_state.step, counted(fallbacks_.unresolved_sources, "cell")));
  }
  if (is_for_programs())
    write_json(fmt::format(
        R"({{"event":"step","step":{},"time":{},"dt":{},"blocks":[{}],"zone_updates":{},)"
        R"({},"retries":{},"wall_s":{},"parallel_efficiency":{},"memory_bytes":{}}})",
        s.time_state.step, s.time_state.time, s.time_state.dt_before,
        joined_text(s.blocks_per_level, ","), s.zone_updates, json_of(s.fallbacks),
        s.time_state.n_retries, s.wall_s, s.parallel_efficiency, s.memory_bytes));
}

void RunLog::log_event(const LogEvent& note, LogLevel level) {
  if (is_for_people() && !note.text.empty()) say(level, note.text);
  if (!is_for_programs()) return;
  std::string line = fmt::format(R"({{"event":{},"step":{},"time":{})", json_string(note.event),
                                 note.time_state.step, note.time_state.time);
  if (!note.path.empty()) line += fmt::format(R"(,"path":{})", json_string(note.path));
  if (!note.text.empty()) line += fmt::format(R"(,"text":{})", json_string(note.text));
  write_json(line + "}");
}

void RunLog::fail(const step::TimeState& time_state, std::string_view why) {
  clear_bar();
  if (!is_for_programs()) return;
  const auto rank = context_.transport.rank();
  const std::string line =
      fmt::format(R"({{"event":"failed","step":{},"time":{},"rank":{},"text":{}}})",
                  time_state.step, time_state.time, rank(), json_string(why));
  if (rank == Rank{0}) return write_json(line);
  // Rank 0 may never hear of it: all ranks are ended now.
  if (target_.what == "json" || target_.folder.empty()) return;
  append_to_file(line);
}

void RunLog::print(std::string_view line) {
  if (is_for_people()) say(LogLevel::info, line);
}

void RunLog::summarise(const step::TimeState& end) {
  const double efficiency = rate(in_tasks_s_, in_steps_s_);
  print(
      fmt::format("{} to t = {:g} in {:.1f} s, {:.1f} s of it in steps: {} million zone "
                  "updates, {} million per second, parallel efficiency {:.1f} %",
                  counted(end.step - start_.step, "step"), end.time, elapsed_s(), in_steps_s_,
                  in_millions(zone_updates_, 4), in_millions(rate(zone_updates_, in_steps_s_), 3),
                  100 * efficiency));
  const auto each = [&](std::int64_t n) { return static_cast<double>(n) / zone_updates_; };
  if (fallbacks_.limited_fluxes + fallbacks_.replaced_states > 0)
    print(fmt::format(
        "limited fluxes: {} ({:.1g} per zone update), replaced states within steps: {} "
        "({:.1g} per zone update), to keep states admissible; the scheme is first order there",
        fallbacks_.limited_fluxes, each(fallbacks_.limited_fluxes), fallbacks_.replaced_states,
        each(fallbacks_.replaced_states)));
  if (fallbacks_.raised_states > 0)
    print(
        fmt::format("states raised to the density floor: {} ({:.1g} per zone update), which adds "
                    "mass, momentum and energy",
                    fallbacks_.raised_states, each(fallbacks_.raised_states)));
  if (fallbacks_.unresolved_sources > 0)
    print(
        fmt::format("unresolved sources: {} ({:.1g} per zone update), which may act at a wrong "
                    "rate, as the first warning of them says",
                    fallbacks_.unresolved_sources, each(fallbacks_.unresolved_sources)));
  if (n_retries_ > 0)
    print(
        fmt::format("{} {} taken again with a smaller dt, as states were inadmissible, "
                    "signals crossed more than a cell, or dt was above a new longest_dt",
                    n_retries_, n_retries_ == 1 ? "step was" : "steps were"));
  if (is_for_programs())
    write_json(fmt::format(R"({{"event":"end","step":{},"time":{},"zone_updates":{},)"
                           R"({},"retries":{},"wall_s":{},"parallel_efficiency":{}}})",
                           end.step, end.time, zone_updates_, json_of(fallbacks_), n_retries_,
                           in_steps_s_, efficiency));
}

void RunLog::write_json(const std::string& line) {
  if (target_.what == "json") return context_.log.world(LogLevel::info, line);
  if (!target_.folder.empty() && context_.transport.rank() == Rank{0}) append_to_file(line);
}

void RunLog::append_to_file(const std::string& line) {
  const std::string whole = line + "\n";
  const std::string path = target_.folder + "/" + log_file_name;
  // A run that goes on goes on with the log, too. Behind our last line one of another rank that
  // fails may have come, or comes just now; but what a full disk had room for of ours is written
  // over.
  if (!file_bytes_)
    file_bytes_ = find_end();
  else if (const auto file = context_.files.status(path); file && *file && !lacks_lines_)
    file_bytes_ = (*file)->size_bytes;
  const auto bytes = std::as_bytes(std::span(whole));
  const auto written = lacks_lines_ ? context_.files.write(path, *file_bytes_, bytes)
                                    : context_.files.append(path, bytes);
  if (written)
    *file_bytes_ += whole.size();
  else if (!std::exchange(lacks_lines_, true))  // which does not stop a run
    say(LogLevel::warn,
        fmt::format("the log lacks lines from here on: {}", written.error().message));
}

}  // namespace thalweg::app
