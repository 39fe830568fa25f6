// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <string_view>

namespace thalweg::vlasov {

/// A tile and what its step needs. Point (i, j) of the tile is at from[i * stride + j]; ghosts have
/// indices below 0 and from nx or nv on.
///
/// Rows are read, and thrown away, up to the next multiple of eight points.
struct TileStep {
  const double* from;
  double* to;
  std::ptrdiff_t stride;
  int nx, nv;
  const double* v;           ///< [nv], then zeros up to a multiple of eight [velocity]
  const double* field;       ///< E at the start of the step, from point -halo_x on
  const double* field_next;  ///< E at its end, as predicted, from point 0 on
  double* charge;            ///< [nx] sums of f over the tile's row along v
  double* current;           ///< [nx] sums of v f
  double dt, dt_before;      ///< of this step and of the one before, 0 if there is none
  double dx, dv;
  int halo_x;
  double* scratch;  ///< where steps are split: scratch_size() doubles
};

/// Doubles that a split step of a tile works in.
constexpr std::size_t scratch_size(int nx, int nv, int halo_x) {
  const auto padded = [](int n) { return static_cast<std::size_t>((n + 7) / 8 * 8); };
  return static_cast<std::size_t>(nx + 2 * halo_x) * padded(nv) + 8 * static_cast<std::size_t>(nx);
}

/// What is done with all points of a tile, compiled for one kind of processor. All kinds give the
/// same bits: each point has the same operations, and sums along v are eight partial ones, of the
/// points j = 0 .. 7 modulo 8, in the same tree.
/// @threads safe on distinct tiles
struct Kernels {
  std::string_view name;
  /// Advance f by a step, with the feet of two dimensions; and its sums along v.
  void (*advance)(const TileStep&);
  /// Advance f in v, by the half of the step before that it lacks and that of this one, and then
  /// in x; and the sum of f along v, not that of v f.
  void (*advance_split)(const TileStep&);
  /// Advance f by half of the step before in v into scratch, rows of nv points padded to eights.
  void (*kick)(const TileStep&);
  /// The sums along v of f as it is.
  void (*sum)(const TileStep&);
};

/// The kernels of a degree for every x86-64-v3 processor, or whatever the build is for.
/// @param degree  3, 5 or 7
const Kernels& portable_kernels(int degree);
/// Those for processors with AVX-512; null where the build or this processor has none.
const Kernels* avx512_kernels(int degree);
/// The fastest that this processor runs.
inline const Kernels& best_kernels(int degree) {
  const Kernels* const wide = avx512_kernels(degree);
  return wide == nullptr ? portable_kernels(degree) : *wide;
}

}  // namespace thalweg::vlasov
