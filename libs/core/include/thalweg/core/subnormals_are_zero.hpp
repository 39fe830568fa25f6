// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace thalweg {

/// While one lives, arithmetic of the thread that made it takes subnormal numbers (magnitudes below
/// 2.2e-308, with fewer digits than others) as zero, as operands and as results. Where the
/// processor cannot do that nothing changes.
///
/// An operation with such numbers takes some hundred cycles. In front of a shock they
/// are everywhere: what a wave leaves ahead of it falls by orders of magnitude from cell to cell.
/// @threads of the thread that makes it, which must end it
/// @source  Intel 64 and IA-32 Architectures Software Developer's Manual, vol. 1, sec. 10.2.3 (FTZ,
///          DAZ); Arm Architecture Reference Manual, FPCR (FZ)
class SubnormalsAreZero {
 public:
  SubnormalsAreZero() : before_(control()) { set_control(before_ | zero); }
  ~SubnormalsAreZero() { set_control(before_); }
  SubnormalsAreZero(const SubnormalsAreZero&) = delete;
  SubnormalsAreZero& operator=(const SubnormalsAreZero&) = delete;

  /// The processor's word of how arithmetic of this thread works: for who switches stacks.
#if defined(__x86_64__)
  static std::uint64_t control() { return _mm_getcsr(); }
  static void set_control(std::uint64_t word) { _mm_setcsr(static_cast<unsigned>(word)); }
#elif defined(__aarch64__)
  static std::uint64_t control() {
    std::uint64_t word;
    asm volatile("mrs %0, fpcr" : "=r"(word));
    return word;
  }
  static void set_control(std::uint64_t word) { asm volatile("msr fpcr, %0" : : "r"(word)); }
#else
  static std::uint64_t control() { return 0; }
  static void set_control(std::uint64_t) {}
#endif

 private:
#if defined(__x86_64__)
  static constexpr std::uint64_t zero = 1 << 15 | 1 << 6;
#elif defined(__aarch64__)
  static constexpr std::uint64_t zero = 1 << 24;
#else
  static constexpr std::uint64_t zero = 0;
#endif

  std::uint64_t before_;
};

}  // namespace thalweg
