// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace thalweg::miniamr::data {

/// Copies numbers to memory past the caches, for what is not read again soon: an ordinary store
/// reads the line that it writes to first, which is half of the traffic of filling new blocks.
///
/// Others may read what was written once this has ended, if they are told so as usual. Where the
/// processor has no such stores these are ordinary ones.
/// @threads one
/// @source  Intel 64 and IA-32 Architectures Software Developer's Manual, vol. 1, sec. 10.4.6.2
class StreamingStores {
 public:
  StreamingStores() = default;
  StreamingStores(const StreamingStores&) = delete;
  StreamingStores& operator=(const StreamingStores&) = delete;
  ~StreamingStores() { end(); }

  void copy(const double* from, std::ptrdiff_t n, double* to) {
    if (n > 0 && reinterpret_cast<std::uintptr_t>(to) % 16 != 0) {
      *to++ = *from++;
      --n;
    }
    for (; n >= 8; n -= 8, from += 8, to += 8)
      for (int i = 0; i < 8; i += 2) store_two(from + i, to + i);
    for (; n >= 2; n -= 2, from += 2, to += 2) store_two(from, to);
    if (n > 0) *to = *from;
  }

 private:
#if defined(__x86_64__)
  static void store_two(const double* from, double* to) { _mm_stream_pd(to, _mm_loadu_pd(from)); }
  static void end() { _mm_sfence(); }
#else
  static void store_two(const double* from, double* to) {
    to[0] = from[0];
    to[1] = from[1];
  }
  static void end() {}
#endif
};

}  // namespace thalweg::miniamr::data
