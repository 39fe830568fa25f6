// SPDX-License-Identifier: MIT
// Compiled for x86-64-v4 where the build is for x86-64: nothing here may be called before the
// processor was asked.
#include "kernels.hpp"
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
#include <thalweg/core/vectors_of_eight.hpp>

#include "tile_kernels.hpp"

namespace thalweg::vlasov {

const Kernels* avx512_kernels(int degree) {
  if (!has_vectors_of_eight()) return nullptr;
  static const auto all = all_kernels<8>("avx512");
  return &all[static_cast<std::size_t>(degree / 2 - 1)];
}

}  // namespace thalweg::vlasov
#else
namespace thalweg::vlasov {

const Kernels* avx512_kernels(int) {
  return nullptr;
}

}  // namespace thalweg::vlasov
#endif
