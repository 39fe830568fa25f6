// SPDX-License-Identifier: MIT
// Compiled for x86-64-v4 where the build is for x86-64: nothing here may be called before the
// processor was asked.
#include "loops.hpp"
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
#include <thalweg/core/vectors_of_eight.hpp>

#include "loops_of.hpp"

namespace thalweg::lulesh {

const Loops* avx512_loops() {
  if (!has_vectors_of_eight()) return nullptr;
  static constexpr Loops loops = loops_of<8>("avx512");
  return &loops;
}

}  // namespace thalweg::lulesh
#else
namespace thalweg::lulesh {

const Loops* avx512_loops() {
  return nullptr;
}

}  // namespace thalweg::lulesh
#endif
