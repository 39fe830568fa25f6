// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/core/clock.hpp>

namespace thalweg::app {

/// A clock that a test sets.
class SetClock final : public Clock {
 public:
  std::int64_t now_ns() const override { return ns; }
  std::int64_t ns = 0;
};

}  // namespace thalweg::app
