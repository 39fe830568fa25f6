// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace thalweg {

/// Where time comes from: the machine, or the simulation.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Nanoseconds since some fixed moment; never goes back.
  virtual std::int64_t now_ns() const = 0;
  double now_s() const { return 1e-9 * static_cast<double>(now_ns()); }  ///< in seconds
};

/// The machine's monotonic clock.
class SteadyClock final : public Clock {
 public:
  std::int64_t now_ns() const override;
};

}  // namespace thalweg
