// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>

namespace thalweg::flow {

/// A number of seconds for messages, without an exponent: three digits, or all before the point.
inline std::string seconds_text(double seconds) {
  char three_digits[32];
  std::snprintf(three_digits, sizeof three_digits, "%.3g", seconds);
  const double rounded = seconds < 100 ? std::strtod(three_digits, nullptr) : std::round(seconds);
  char text[512];  // all numbers fit
  return {text, std::to_chars(text, std::end(text), rounded, std::chars_format::fixed).ptr};
}

/// Notices that nothing has happened for too long; asked now and then by an idle worker.
/// @threads one at a time
class Watchdog {
 public:
  /// @param limit_s seconds; 0 never barks
  explicit Watchdog(double limit_s) : limit_ns_(static_cast<std::int64_t>(limit_s * 1e9)) {}

  bool is_on() const { return limit_ns_ > 0; }
  /// Forget what was seen: time counts from the next look.
  void reset() { has_looked_ = false; }
  /// Take a look. @param progress changes whenever something has happened
  /// @return for how long nothing has, where that is too long
  std::optional<std::int64_t> look(std::int64_t now_ns, std::uint64_t progress) {
    if (!has_looked_ || progress != progress_) {
      has_looked_ = true;
      quiet_ns_ = 0;
      last_ns_ = now_ns;
      progress_ = progress;
    }
    // Where we did not look for long, because the process was stopped or had no core, what came
    // in between has had no chance to be noticed: one look counts for an eighth of the limit.
    quiet_ns_ += std::min(now_ns - last_ns_, limit_ns_ / 8 + 1);
    last_ns_ = now_ns;
    return quiet_ns_ >= limit_ns_ ? std::optional(quiet_ns_) : std::nullopt;
  }

 private:
  std::int64_t limit_ns_;
  std::int64_t quiet_ns_ = 0;
  bool has_looked_ = false;
  std::int64_t last_ns_ = 0;
  std::uint64_t progress_ = 0;
};

}  // namespace thalweg::flow
