// SPDX-License-Identifier: MIT
#pragma once
#include <array>

namespace thalweg::exchange {

/// What a task is called that does something to a block, and one that does it to joined blocks,
/// which takes longer: forecasts and measured costs know them by these names.
struct TaskNames {
  const char* alone;
  const char* joined;
};

/// The tasks that are recorded for groups of blocks.
namespace task_names {
inline constexpr TaskNames fill{"fill", "fill joined"};
inline constexpr TaskNames predictor{"predictor", "predictor joined"};
inline constexpr TaskNames advance{"advance", "advance joined"};
inline constexpr TaskNames signal{"signal", "signal joined"};
inline constexpr std::array all{fill, predictor, advance, signal};
}  // namespace task_names

}  // namespace thalweg::exchange
