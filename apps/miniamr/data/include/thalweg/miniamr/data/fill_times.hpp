// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thalweg::miniamr::data {

/// Where the ghost cells beyond a face come from.
enum class Filling : std::uint8_t { same, different, boundary, message };

/// Estimates how long blocks take to make their ghost cells, by axis and by where those come from:
/// of one update of a block in `every`, for one variable, times how much that stands for. Ghost
/// cells as fine, and those at the end of the domain, are read where they lie, which takes no time,
/// unless the stencil sees corners: then they are copied.
/// @threads add() by all workers
class FillTimes {
 public:
  static constexpr std::uint64_t every = 16;

  void add(int axis, Filling what, std::int64_t ns) {
    sums_[index(axis, what)].fetch_add(ns, std::memory_order_relaxed);
  }
  double seconds(int axis, Filling what) const {
    return 1e-9 * static_cast<double>(sums_[index(axis, what)].load(std::memory_order_relaxed));
  }

 private:
  static std::size_t index(int axis, Filling what) {
    return 4 * static_cast<std::size_t>(axis) + static_cast<std::size_t>(what);
  }

  std::array<std::atomic<std::int64_t>, 12> sums_{};
};

}  // namespace thalweg::miniamr::data
