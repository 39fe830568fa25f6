// SPDX-License-Identifier: MIT
#pragma once

namespace thalweg {

/// Whether this processor has all instructions on vectors of eight numbers that some loops are also
/// compiled for (x86-64-v4). Inlined, as a file for such processors asks before it uses any.
[[gnu::always_inline]] inline bool has_vectors_of_eight() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd");
#else
  return false;
#endif
}

}  // namespace thalweg
