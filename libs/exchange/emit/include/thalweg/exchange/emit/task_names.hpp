// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

namespace thalweg::exchange {

/// What a task is called that does something to a block, and those that do it to joined blocks,
/// which take longer: forecasts and measured costs know them by these names.
struct TaskNames {
  /// A name, and of how many blocks it is.
  struct OfBlocks {
    const char* name;
    std::size_t n;
  };

  const char* alone;
  const char* joined;    ///< of all blocks that make up a box twice as wide
  const char* joined_2;  ///< of two of them, where there are more
  const char* joined_4;

  /// All of them, where so many blocks make up a box twice as wide.
  constexpr std::array<OfBlocks, 4> by_number(std::size_t n_all) const {
    return {{{alone, 1}, {joined, n_all}, {joined_2, 2}, {joined_4, 4}}};
  }
  /// That of so many blocks.
  constexpr const char* of(std::size_t n, std::size_t n_all) const {
    for (const auto& [name, n_blocks] : by_number(n_all))
      if (n_blocks == n) return name;
    return nullptr;  // not reached
  }
};

/// The tasks that are recorded for groups of blocks.
namespace task_names {
inline constexpr TaskNames fill{"fill", "fill joined", "fill joined 2", "fill joined 4"};
inline constexpr TaskNames predictor{"predictor", "predictor joined", "predictor joined 2",
                                     "predictor joined 4"};
inline constexpr TaskNames advance{"advance", "advance joined", "advance joined 2",
                                   "advance joined 4"};
inline constexpr TaskNames signal{"signal", "signal joined", "signal joined 2", "signal joined 4"};
inline constexpr std::array all{fill, predictor, advance, signal};
}  // namespace task_names

}  // namespace thalweg::exchange
