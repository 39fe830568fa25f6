// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/vlasov/schedule.hpp>

namespace thalweg::vlasov {

/// What a run of a graph does with the field that it finds at its end.
enum class FieldUse : std::uint8_t {
  of_state,    ///< nothing was advanced: it is that of f as it is
  after_step,  ///< f was advanced; the field before becomes history
  trial,       ///< f was advanced to be thrown away: it is the field that the step will lead to
};

/// Which steps a run of a graph makes. Tasks read it; it changes between runs only.
struct StepClock {
  Schedule schedule;
  std::int64_t first_step = 0;  ///< before the first replay
  FieldUse use = FieldUse::of_state;

  std::int64_t step_of(std::uint64_t replay) const {
    return first_step + static_cast<std::int64_t>(replay);
  }
  /// The step that the field at the end of a replay is of.
  std::int64_t reached(std::uint64_t replay) const {
    return step_of(replay) + (use == FieldUse::of_state ? 0 : 1);
  }
  /// Which of a tile's buffers has f before a replay.
  int buffer(std::uint64_t replay) const { return static_cast<int>(step_of(replay) % 2); }
};

}  // namespace thalweg::vlasov
