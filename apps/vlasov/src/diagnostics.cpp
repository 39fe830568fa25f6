// SPDX-License-Identifier: MIT
#include "diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <thalweg/core/exact_sum.hpp>
#include <thalweg/flow/collective.hpp>

namespace thalweg::vlasov {

namespace {

/// Sums, each exact, and the extrema of f: of a part of the points, then of those of all ranks.
struct Sums {
  enum Name : std::size_t {
    mass,
    momentum,
    kinetic,
    l1,
    squares,
    entropy,
    potential,
    modes,
    n = modes + 6
  };

  std::array<ExactSum, n> sums;
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();

  void merge(const Sums& other) {
    for (std::size_t k = 0; k < n; ++k) sums[k].merge(other.sums[k]);
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
  }
};

void add_tile(const State& state, const Tile& tile, const TileView& view, Sums& all) {
  const Grid& grid = state.settings().grid;
  const int first = state.layout().rows().begin(tile.place.row);
  std::array<double, Sums::potential> sums{};
  for (int i = 0; i < tile.nx; ++i) {
    const double* const f = view.f + i * view.stride;
    for (int j = 0; j < tile.nv; ++j) {
      const double v = grid.v(first + j);
      sums[Sums::mass] += f[j];
      sums[Sums::momentum] += v * f[j];
      sums[Sums::kinetic] += 0.5 * v * v * f[j];
      sums[Sums::l1] += std::abs(f[j]);
      sums[Sums::squares] += f[j] * f[j];
      if (f[j] > 0) sums[Sums::entropy] -= f[j] * std::log(f[j]);
      all.least = std::min(all.least, f[j]);
      all.greatest = std::max(all.greatest, f[j]);
    }
  }
  for (std::size_t k = 0; k < sums.size(); ++k) all.sums[k].add(sums[k]);
}

void add_field(const State& state, const SlabField& field, Sums& all) {
  if (field.slab.root != state.rank()) return;
  const double* const e = field.window.data() + state.settings().halo_x;
  for (int i = 0; i < field.slab.size(); ++i) {
    all.sums[Sums::potential].add(0.5 * e[i] * e[i]);
    for (int m = 1; m <= 3; ++m) {
      const double angle =
          2 * std::numbers::pi * m * (field.slab.begin + i) / state.settings().grid.nx;
      const auto place = Sums::modes + 2 * static_cast<std::size_t>(m - 1);
      all.sums[place].add(e[i] * std::cos(angle));
      all.sums[place + 1].add(e[i] * std::sin(angle));
    }
  }
}

}  // namespace

Diagnostics diagnose(const State& state, flow::Transport& transport, const app::Workers& workers,
                     const std::function<TileView(std::size_t, std::size_t)>& view_of) {
  std::vector<Sums> of_shares(workers.n);
  workers.run([&](const app::Share& share) {
    share.for_each(state.tiles().size(), [&](std::size_t t) {
      add_tile(state, state.tiles()[t], view_of(t, share.share), of_shares[share.share]);
    });
  });
  Sums& mine = of_shares[0];
  for (std::size_t k = 1; k < of_shares.size(); ++k) mine.merge(of_shares[k]);
  for (const auto& [slab, field] : state.fields()) add_field(state, field, mine);

  const Sums all = flow::all_reduce(transport, mine, [](Sums lower, const Sums& upper) {
    lower.merge(upper);
    return lower;
  });
  std::array<double, Sums::n> sums{};
  for (std::size_t k = 0; k < Sums::n; ++k) sums[k] = all.sums[k].value();
  const Grid& grid = state.settings().grid;
  const double area = grid.dx() * grid.dv();
  Diagnostics result{.mass = area * sums[Sums::mass],
                     .momentum = area * sums[Sums::momentum],
                     .kinetic = area * sums[Sums::kinetic],
                     .potential = grid.dx() * sums[Sums::potential],
                     .l1 = area * sums[Sums::l1],
                     .l2 = std::sqrt(area * sums[Sums::squares]),
                     .entropy = area * sums[Sums::entropy],
                     .f_min = all.least,
                     .f_max = all.greatest};
  for (std::size_t m = 0; m < 3; ++m)
    result.modes[m] =
        2.0 / grid.nx * std::hypot(sums[Sums::modes + 2 * m], sums[Sums::modes + 2 * m + 1]);
  return result;
}

}  // namespace thalweg::vlasov
