// SPDX-License-Identifier: MIT
#pragma once
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <thalweg/core/clock.hpp>
#include <thalweg/core/logger.hpp>

namespace thalweg::flow {

/// What a worker was seen to do: the same twice is the same task still running.
struct Sighting {
  std::uint32_t item;     ///< that runs
  std::uint64_t n_tasks;  ///< that the worker ran before it

  bool operator==(const Sighting&) const = default;
};

/// A thread that says in the log which task has been running for too long. It ends nothing.
///
/// Needed because a worker in an endless task cannot say so itself, and may be the only one.
class Monitor {
 public:
  /// What to ask about one run. Called under the monitor's lock, so never after unwatch().
  struct Subject {
    std::uint32_t n_workers;
    std::function<std::optional<Sighting>(std::uint32_t worker)> look;
    std::function<std::string(std::uint32_t item)> describe;
  };

  Monitor(double limit_s, Logger& log);
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  void watch(Subject subject);
  void unwatch();

 private:
  struct Seen {
    std::optional<Sighting> sighting;
    std::int64_t since_ns;
    std::int64_t next_report_ns;  ///< of duration
  };

  void loop();
  void look(std::uint32_t worker, std::int64_t now_ns);

  std::int64_t limit_ns_;
  SteadyClock clock_;  ///< the machine's: in a simulation no time passes while a task runs
  Logger& log_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Subject> subject_;
  std::vector<Seen> seen_;  ///< of each worker
  bool is_quitting_ = false;
  std::thread thread_;
};

}  // namespace thalweg::flow
