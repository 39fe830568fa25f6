// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>

namespace thalweg::miniamr::data {

/// Floating-point operations, counted as the reference does.
struct Flops {
  std::int64_t adds = 0;
  std::int64_t multiplies = 0;
  std::int64_t divides = 0;

  Flops& operator+=(const Flops& more) {
    adds += more.adds;
    multiplies += more.multiplies;
    divides += more.divides;
    return *this;
  }
  friend Flops operator*(std::int64_t n, const Flops& f) {
    return {n * f.adds, n * f.multiplies, n * f.divides};
  }
  bool operator==(const Flops&) const = default;
};

/// Adds up what tasks did.
/// @threads add() by all workers: whole numbers, so their order does not matter
class FlopCounter {
 public:
  void add(const Flops& flops) {
    adds_.fetch_add(flops.adds, std::memory_order_relaxed);
    multiplies_.fetch_add(flops.multiplies, std::memory_order_relaxed);
    divides_.fetch_add(flops.divides, std::memory_order_relaxed);
  }
  Flops total() const { return {adds_.load(), multiplies_.load(), divides_.load()}; }

 private:
  std::atomic<std::int64_t> adds_ = 0;
  std::atomic<std::int64_t> multiplies_ = 0;
  std::atomic<std::int64_t> divides_ = 0;
};

}  // namespace thalweg::miniamr::data
