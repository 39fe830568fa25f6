// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <optional>
#include <string_view>

#include <thalweg/flow/transport.hpp>

namespace thalweg::flow::detail {

/// A run's hold of the transport: from the start where the graph has messages, else from where a
/// task first needs it, until the run is over or an exception leaves it.
/// @threads one inside the transport at a time
class TransportClaim {
 public:
  explicit TransportClaim(Transport& transport) : transport_(transport) {}

  /// Hold the transport from now on. @param user what the error names
  /// @errors Error where another run or a collective holds it
  void take(std::string_view user) {
    if (is_held_.load(std::memory_order_relaxed)) return;
    in_use_.emplace(transport_, user);
    is_held_.store(true, std::memory_order_relaxed);
  }

 private:
  Transport& transport_;
  std::optional<Transport::InUse> in_use_{};
  /// Atomic for AccessChecker, which does not look at locks: else two tasks that take it would be
  /// found to race.
  std::atomic<bool> is_held_{false};
};

}  // namespace thalweg::flow::detail
