// SPDX-License-Identifier: MIT
#include "field_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/vlasov/field_sums.hpp>

namespace thalweg::vlasov {

namespace {

struct FieldPoint {
  std::int64_t i;  ///< along x
  double density, field;
};

/// Those of all slabs in order, on rank 0. Collective.
std::vector<FieldPoint> gathered(const State& state, flow::Transport& transport) {
  std::vector<std::pair<Rank, FieldPoint>> mine;
  for (const auto& [number, of] : state.fields()) {
    if (of.slab.root != state.rank()) continue;
    const double* const e = of.window.data() + state.settings().halo_x;
    for (std::size_t i = 0; i < of.size(); ++i)
      mine.emplace_back(Rank{0}, FieldPoint{of.slab.begin + static_cast<std::int64_t>(i),
                                            state.settings().density + of.charge[i], e[i]});
  }
  std::vector<FieldPoint> all;
  for (const auto& [from, point] :
       flow::exchange_sparse<FieldPoint>(transport, std::span(std::as_const(mine))))
    all.push_back(point);
  std::ranges::sort(all, {}, &FieldPoint::i);
  return all;
}

}  // namespace

std::string field_table(const State& state, flow::Transport& transport) {
  const auto points = gathered(state, transport);
  if (state.rank() != Rank{0}) return "";
  const Grid& grid = state.settings().grid;
  std::vector<double> slope;  // of phi
  for (int i = -rise_reads_below; i < grid.nx + rise_reads_above; ++i)
    slope.push_back(-points[static_cast<std::size_t>((i % grid.nx + grid.nx) % grid.nx)].field);
  std::vector<double> level(points.size());
  const FieldSums total = add_up_field(slope, grid.dx(), level);
  std::string text = "x [length],density [mass/length],E [velocity/time],phi [velocity^2]\n";
  for (int i = 0; i < grid.nx; ++i) {
    const auto at = static_cast<std::size_t>(i);
    text += fmt::format("{},{},{},{}\n", grid.x(i), points[at].density, points[at].field,
                        field_at({}, total, level[at], grid.dx(), i));
  }
  return text;
}

}  // namespace thalweg::vlasov
