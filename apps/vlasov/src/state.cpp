// SPDX-License-Identifier: MIT
#include "state.hpp"

#include <algorithm>
#include <bit>

namespace thalweg::vlasov {

namespace {

constexpr int up_to_eight(int n) {
  return (n + 7) / 8 * 8;
}

/// Doubles from one row along v to the next. Rows begin on cache lines, and an odd number of lines
/// apart, so that neighbours do not fall into the same sets of a cache.
int stride_of(const Settings& settings, int nv) {
  const int lines = (up_to_eight(settings.halo_v) + up_to_eight(nv + settings.halo_v)) / 8;
  return 8 * (lines | 1);
}

/// Doubles of a buffer: vectors of the last row may end behind it.
std::size_t buffer_size(const Settings& settings, int nx, int nv) {
  return static_cast<std::size_t>(nx + 2 * settings.halo_x) *
             static_cast<std::size_t>(stride_of(settings, nv)) +
         static_cast<std::size_t>(settings.halo_v + 16);
}

}  // namespace

State::State(const Settings& settings, Rank rank, int n_ranks, field::BlockSource block_source)
    : settings_(settings), rank_(rank), layout_(settings, n_ranks), slabs_(vlasov::slabs(layout_)) {
  const auto& [columns, rows] = std::pair(layout_.columns(), layout_.rows());
  pool_ = std::make_unique<field::BlockPool>(
      buffer_size(settings, columns.longest(), rows.longest()), block_source);
  for (std::size_t s = 0; s < slabs_.size(); ++s)
    slab_of_column_.insert(slab_of_column_.end(), static_cast<std::size_t>(slabs_[s].n_columns()),
                           static_cast<int>(s));
  for (const TilePlace place : layout_.tiles_of(rank)) {
    index_[layout_.number(place)] = tiles_.size();
    Tile& tile = tiles_.emplace_back();
    tile.place = place;
    tile.nx = columns.size(place.column);
    tile.nv = rows.size(place.row);
    tile.stride = stride_of(settings, tile.nv);
    tile.origin = settings.halo_x * tile.stride + up_to_eight(settings.halo_v);
    tile.sums.resize(2 * static_cast<std::size_t>(tile.nx));
    for (auto& buffer : tile.buffers) {
      buffer = pool_->acquire();
      if (block_source != field::BlockSource::addresses)
        std::fill_n(buffer.get(), buffer_size(settings, tile.nx, tile.nv), 0.0);
    }
    SlabField& field = fields_[slab_of(place.column)];
    field.slab = slabs_[static_cast<std::size_t>(slab_of(place.column))];
  }
  for (auto& [number, field] : fields_) {
    field.window.resize(2 * field.size() + 2 * static_cast<std::size_t>(settings.halo_x) +
                        SlabField::n_bounds);
    if (field.slab.root != rank) continue;
    for (auto* of_root : {&field.charge, &field.current, &field.deviation, &field.field_before,
                          &field.field_before_2, &field.deviation_before})
      of_root->resize(field.size());
  }
  if (settings.poisson == Poisson::fft && slabs_.front().root == rank)
    fourier_field_ = std::make_unique<FourierField>(settings.grid.nx, settings.grid.length);
  velocities_.resize(static_cast<std::size_t>(rows.n_parts()));
  for (const Tile& tile : tiles_) {
    auto& velocities = velocities_[static_cast<std::size_t>(tile.place.row)];
    if (!velocities.empty()) continue;
    velocities.resize(static_cast<std::size_t>(up_to_eight(tile.nv)));
    for (int j = 0; j < tile.nv; ++j)
      velocities[static_cast<std::size_t>(j)] = settings.grid.v(rows.begin(tile.place.row) + j);
  }
}

TileStep State::step_of(Tile& tile, int buffer, double dt, double dt_before) const {
  const SlabField& field = fields_.at(slab_of(tile.place.column));
  const int first = layout_.columns().begin(tile.place.column) - field.slab.begin;
  return {.from = tile.f(buffer),
          .to = tile.f(1 - buffer),
          .stride = tile.stride,
          .nx = tile.nx,
          .nv = tile.nv,
          .v = velocities_[static_cast<std::size_t>(tile.place.row)].data(),
          .field = field.window.data() + first,
          .field_next = field.window.data() + field.size() + 2 * settings_.halo_x + first,
          .charge = tile.charge(),
          .current = tile.current(),
          .dt = dt,
          .dt_before = dt_before,
          .dx = settings_.grid.dx(),
          .dv = settings_.grid.dv(),
          .halo_x = settings_.halo_x,
          .scratch = nullptr};
}

std::size_t State::scratch_size() const {
  const int nx = layout_.columns().longest(), nv = layout_.rows().longest();
  const std::size_t of_step = vlasov::scratch_size(nx, nv, settings_.halo_x);
  // Sums along v take a row of a tile's sums for each level of their tree.
  const auto levels =
      static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(layout_.rows().n_parts())));
  return std::max(of_step, 2 * static_cast<std::size_t>(nx) * levels);
}

void State::set_initial(Tile& tile) const {
  const Grid& grid = settings_.grid;
  const int x = layout_.columns().begin(tile.place.column);
  const int v = layout_.rows().begin(tile.place.row);
  std::vector<double> of_v;
  for (int j = 0; j < tile.nv; ++j) of_v.push_back(settings_.initial.of_v(grid.v(v + j)));
  for (int i = 0; i < tile.nx; ++i) {
    const double of_x = settings_.initial.of_x(grid.x(x + i));
    double* const row = tile.f(0) + i * tile.stride;
    for (int j = 0; j < tile.nv; ++j) row[j] = of_x * of_v[static_cast<std::size_t>(j)];
  }
}

}  // namespace thalweg::vlasov
