// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <thalweg/predict/times_of.hpp>
#include <thalweg/trace/graph_info.hpp>
#include <thalweg/trace/rank_trace.hpp>
#include <thalweg/trace/sink.hpp>

namespace thalweg::predict {

/// What tasks of one name took, as far as a straight line over their sizes says it.
///
/// The size of a task that packs or unpacks messages is their bytes, of which tasks that share a
/// message have equal parts; of all others it is 0. Where some tasks of a name have messages and
/// others do not, it is not packing that takes their time.
struct TimeFit {
  /// A time without size, and more for each unit of it [ns].
  struct Line {
    double without_size;
    double slope;

    bool operator==(const Line&) const = default;
  };

  double n = 0;
  double n_with_messages = 0;
  double least_size = std::numeric_limits<double>::infinity(), most_size = 0;
  double sum_size = 0, sum_ns = 0, sum_size2 = 0, sum_size_ns = 0;
  std::optional<Line> given{};   ///< the line itself, where it does not come from single times
  bool is_memory_bound = false;  ///< by bandwidth: see Machine::shared_memory
  /// By which factors single times differ from the line: ascending, each of them equally likely,
  /// their mean is 1. Empty: not known.
  std::vector<double> spread{};

  void add(double size, double ns);
  /// The line that is given, or the nearest by least squares of those that nowhere fall or are
  /// below 0. Level where the largest size is less than twice the smallest, as a line through sizes
  /// so close to each other would be wrong far from them, and where only some tasks have messages.
  /// @pre n > 0, or a line is given
  Line line() const;
  /// The time of a task of a size [ns]: on that line. @pre as of line()
  double at(double size) const {
    const Line on = line();
    return on.without_size + on.slope * size;
  }
};

/// How long tasks take, by name and size.
class TaskTimes {
 public:
  void add(std::string_view name, double size, double ns);
  /// Say on which line times of a name are.
  void set_line(std::string_view name, const TimeFit::Line& line);
  /// Say that tasks of a name are like those of another one, with several times as much to do and
  /// messages of their own sizes. @pre is_known(of)
  void set_like(std::string_view name, std::string_view of, double factor);
  /// Add those of names that are not known.
  void add_unknown(const TaskTimes& others) {
    fits_.insert(others.fits_.begin(), others.fits_.end());
  }
  /// The time of a task [ns]. @pre is_known(name)
  double at(std::string_view name, double size) const;
  /// Say by which factors times of a name differ from their line. @pre is_known(name)
  void set_spread(std::string_view name, std::vector<double> factors);
  /// Say that memory bandwidth bounds the tasks of a name, with their times on a core alone.
  /// @pre is_known(name)
  void set_memory_bound(std::string_view name);
  bool is_memory_bound(std::string_view name) const;
  bool is_known(std::string_view name) const { return fits_.find(name) != fits_.end(); }
  const std::map<std::string, TimeFit, std::less<>>& fits() const { return fits_; }
  /// Say what they are of.
  void set_of(TimesOf of) { of_ = std::move(of); }
  const TimesOf& of() const { return of_; }

 private:
  /// @pre is_known(name)
  TimeFit& known(std::string_view name);

  std::map<std::string, TimeFit, std::less<>> fits_;
  TimesOf of_;
};

/// Read a file of task times: TOML, with the keys that the README lists.
/// @errors Error listing everything that is wrong, one a line
TaskTimes read_task_times(std::string_view text, std::string_view file_name);
/// Write task times as a file that reads back to the same lines.
std::string to_toml(const TaskTimes& times);

/// The size of each node of a graph, as TimeFit has it.
std::vector<double> task_sizes(const trace::GraphInfo& graph);

/// What the tasks of runs that number their steps took, from a trace, and how much each differs.
TaskTimes times_of(std::span<const trace::RankTrace> traces);

/// Hears what tasks take while a program runs that numbers its steps; keeps no events.
///
/// @threads as of Sink: workers record at the same time, so each event takes a lock. The lock is
/// taken after the task's time was, so it does not lengthen the task.
class TaskTimeSink final : public trace::Sink {
 public:
  /// @param times       where they are added; not owned
  /// @param first_step  the first one that counts
  TaskTimeSink(TaskTimes& times, std::uint64_t first_step)
      : times_(times), first_step_(first_step) {}

  bool begin_run(const trace::RunStart& run) override;
  void describe(trace::GraphInfo graph) override;
  void record(const trace::Event& event) noexcept override;
  void end_run(std::int64_t end_ns) override;

 private:
  TaskTimes& times_;
  std::uint64_t first_step_;
  std::uint64_t step_of_replay_0_ = 0;
  std::mutex mutex_;
  trace::GraphInfo graph_;
  std::vector<double> sizes_;
};

}  // namespace thalweg::predict
