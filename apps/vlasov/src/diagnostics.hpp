// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include <thalweg/app/shares.hpp>
#include <thalweg/flow/transport.hpp>

#include "state.hpp"

namespace thalweg::vlasov {

/// What series.csv says of a moment.
struct Diagnostics {
  double mass = 0, momentum = 0, kinetic = 0;  ///< sums of f, v f, v^2 f / 2, times dx dv
  double potential = 0;                        ///< sum of E^2 / 2, times dx
  double l1 = 0, l2 = 0;                       ///< norms of f
  double entropy = 0;                          ///< -sum of f ln f where f > 0, times dx dv
  std::array<double, 3> modes{};               ///< 2 / nx |DFT_m(E)|, m = 1, 2, 3
  double f_min = 0, f_max = 0;
};

/// f of a tile, as it is after a whole number of steps.
struct TileView {
  const double* f;
  std::ptrdiff_t stride;
};

/// Find the diagnostics. Collective; the same bits for any ranks and owners: sums of a tile in
/// order, those of tiles exactly. @cost one flow::all_reduce
/// @param view_of  view_of(tile number of this rank, worker)
Diagnostics diagnose(const State& state, flow::Transport& transport, const app::Workers& workers,
                     const std::function<TileView(std::size_t, std::size_t)>& view_of);

}  // namespace thalweg::vlasov
