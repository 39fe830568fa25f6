// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

#include <thalweg/cholesky/dense/factorisation.hpp>
#include <thalweg/cholesky/dense/task_names.hpp>
#include <thalweg/flow/recorder.hpp>

#include "panel_exchange.hpp"

namespace thalweg::cholesky {

/// Of a task that writes tile (i, j) with tiles of panel k: workers share out tile rows, and the
/// task with the longest chain of others behind it goes first.
///
/// Behind it come j - k more in its tile, 2 (i - j) in the row up to its diagonal, and
/// 3 (n_tiles - i) along the diagonal from there: 3 n_tiles - i - j - k.
inline flow::TaskOptions tile_options(const Layout& layout, std::uint32_t n_workers, int i, int j,
                                      int k) {
  const auto nt = static_cast<std::uint64_t>(layout.n_tiles());
  return {
      .priority = 3 * layout.n_tiles() - i - j - k,
      .preferred_worker = static_cast<std::uint32_t>(i / layout.grid_rows) % n_workers,
      .block = static_cast<std::uint64_t>(j) * nt + static_cast<std::uint64_t>(i),
  };
}

/// Mark a tile of a factor that does not exist, by a first element that is not a number.
///
/// The mark goes wherever the tile's values would: each task passes it on and leaves its kernel
/// out.
template <Scalar T>
void mark_as_failed(T* tile) {
  tile[0] = T(std::numeric_limits<Real<T>>::quiet_NaN());
}
template <Scalar T>
bool has_failed(const T* tile) {
  return std::isnan(std::real(tile[0]));
}

/// What an update of tile (i, j) by panel k takes.
template <Scalar T>
struct Update {
  int i, j, k;
  HeldTile<T> left;   ///< (i, k)
  HeldTile<T> right;  ///< (j, k)
  flow::DatumId datum;
  T* tile;  ///< (i, j)
};

/// Record that a panel is taken from a tile: (i, j) -= (i, k) (j, k)^H.
/// @param kernels  outlives the graph
template <Scalar T>
void record_update(flow::Recorder& g, const Layout& layout, const TileKernels<T>& kernels,
                   const Update<T>& u, const flow::TaskOptions& options) {
  using flow::Access;
  using flow::Mode;
  const int m = layout.rows(u.i);
  const int n = layout.rows(u.j);
  const int depth = layout.rows(u.k);
  if (u.i == u.j)
    g.task(
        task_names::update_diagonal,
        std::array{Access{u.left.datum, Mode::in}, Access{u.datum, Mode::inout}},
        [&kernels, m, depth, left = u.left.values, tile = u.tile](flow::TaskContext&) {
          if (has_failed(left)) return mark_as_failed(tile);
          kernels.update_diagonal(m, depth, left, tile);
        },
        options);
  else
    g.task(
        task_names::update,
        std::array{Access{u.left.datum, Mode::in}, Access{u.right.datum, Mode::in},
                   Access{u.datum, Mode::inout}},
        [&kernels, m, n, depth, left = u.left.values, right = u.right.values,
         tile = u.tile](flow::TaskContext&) {
          if (has_failed(left) || has_failed(right)) return mark_as_failed(tile);
          kernels.update(m, n, depth, left, right, tile);
        },
        options);
}

}  // namespace thalweg::cholesky
