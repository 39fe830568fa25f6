// SPDX-License-Identifier: MIT
#include "ticks.hpp"

#include <algorithm>
#include <limits>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace thalweg::flow {
namespace {

/// Whether the counter runs at one rate, whatever the core does, and never stops.
/// @source AMD64 Architecture Programmer's Manual 3, CPUID Fn8000_0007_EDX[8] (TscInvariant); Intel
///         SDM 3B, 18.17.1
bool has_invariant_counter() {
#if defined(__x86_64__)
  constexpr unsigned leaf = 0x80000007;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(leaf, &eax, &ebx, &ecx, &edx) != 0 && (edx >> 8 & 1u) != 0;
#else
  return false;
#endif
}

}  // namespace

Ticks::Ticks(const Clock& clock)
    : clock_(clock),
      // Only for the machine's own clock: a simulated one must say itself how late it is.
      has_counter_(dynamic_cast<const SteadyClock*>(&clock) != nullptr && has_invariant_counter()),
      is_counter_(has_counter_) {
  if (!has_counter_) return;
  constexpr int n_looks = 64;  // the least of some: others are interrupted
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < n_looks; ++i) {
    const std::int64_t before = read_counter();
    least = std::min(least, read_counter() - before);
  }
  look_ticks_ = std::max(least, std::int64_t{1});
}

}  // namespace thalweg::flow
