// SPDX-License-Identifier: MIT
#include <chrono>

#include <thalweg/core/clock.hpp>

namespace thalweg {

std::int64_t SteadyClock::now_ns() const {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

}  // namespace thalweg
