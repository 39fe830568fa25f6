// SPDX-License-Identifier: MIT
#pragma once

// Code for D dimensions is compiled for those of the build's THALWEG_DIMENSIONS: of them the build
// defines THALWEG_1D, THALWEG_2D and THALWEG_3D.

#ifdef THALWEG_1D
#define THALWEG_IN_1D(MAKE) MAKE(1);
#else
#define THALWEG_IN_1D(MAKE)
#endif
#ifdef THALWEG_2D
#define THALWEG_IN_2D(MAKE) MAKE(2);
#else
#define THALWEG_IN_2D(MAKE)
#endif
#ifdef THALWEG_3D
#define THALWEG_IN_3D(MAKE) MAKE(3);
#else
#define THALWEG_IN_3D(MAKE)
#endif

/// Repeat MAKE(D) for each number of dimensions that is compiled.
#define THALWEG_FOR_DIMENSIONS(MAKE) THALWEG_IN_1D(MAKE) THALWEG_IN_2D(MAKE) THALWEG_IN_3D(MAKE)

namespace thalweg {

/// Whether code for D dimensions is compiled.
constexpr bool is_compiled(int D) {
#define THALWEG_MAKE(N) \
  if (D == N) return true
  THALWEG_FOR_DIMENSIONS(THALWEG_MAKE)
#undef THALWEG_MAKE
  return false;
}

}  // namespace thalweg
