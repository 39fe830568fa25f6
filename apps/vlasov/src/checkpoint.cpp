// SPDX-License-Identifier: MIT
#include "checkpoint.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/checkpoint.hpp>
#include <thalweg/core/crc32c.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/io/checkpoint.hpp>

namespace thalweg::vlasov {

namespace {

/// What a predictor looks back at, of a slab on its root.
std::vector<std::vector<double>*> history_of(const Settings& settings, SlabField& field) {
  if (settings.splitting == Splitting::strang) return {};
  switch (settings.predictor) {
    case Predictor::euler:
      return {};
    case Predictor::ab2:
      return {&field.deviation_before};
    case Predictor::leapfrog:
      return {&field.field_before};
    case Predictor::extrapolation:
      return {&field.field_before, &field.field_before_2};
  }
  return {};
}

std::int64_t n_history(const Settings& settings) {
  SlabField none;
  return std::ssize(history_of(settings, none));
}

io::Manifest describe(const State& state) {
  const Settings& settings = state.settings();
  const Cuts& columns = state.layout().columns();
  const Cuts& rows = state.layout().rows();
  const Grid& grid = settings.grid;
  return {.dimension = 2,
          .lower = {0, -grid.v_max},
          .upper = {grid.length, grid.v_max},
          .root_blocks = {columns.n_parts(), rows.n_parts()},
          .periodic = {1, 1},
          .block_cells = {columns.longest(), rows.longest() + n_history(settings)},
          .ratio = {2},
          .max_level = 0,
          .blocks_per_level = {state.layout().n_tiles()}};
}

/// Copy between a tile and its block. @param move  move(doubles of the state, of the block, number)
template <class Move>
void for_each_run(const State& state, const Tile& tile, SlabField& field, int buffer, double* block,
                  Move move) {
  const Cuts& columns = state.layout().columns();
  const int longest = state.layout().rows().longest();
  for (int i = 0; i < tile.nx; ++i)
    move(tile.f(buffer) + i * tile.stride, block + i * longest, tile.nv);
  if (tile.place.row != 0) return;
  double* behind = block + columns.longest() * longest;
  for (auto* const values : history_of(state.settings(), field)) {
    move(values->data() + columns.begin(tile.place.column) - field.slab.begin, behind, tile.nx);
    behind += columns.longest();
  }
}

struct PlacedEntry {
  std::uint64_t position = 0;
  io::IndexEntry entry;
};

}  // namespace

Result<app::Checkpoint> write_checkpoint(const app::Context& context,
                                         const app::CheckpointTarget& target,
                                         const step::TimeState& time_state, const Origin& origin,
                                         State& state) {
  auto& transport = context.transport;
  io::Manifest manifest = describe(state);
  manifest.scheme = target.scheme;
  manifest.components = target.components;
  manifest.step = time_state.step;
  manifest.time = time_state.time;
  manifest.dt_before = time_state.dt_before;
  manifest.origin_step = origin.step;
  manifest.origin_time = origin.time;
  manifest.totals_at_start = target.totals_at_start;
  manifest.deck = target.deck;
  manifest.blocks_per_file = io::CheckpointFiles::default_blocks_per_file(manifest.block_bytes());

  const auto made = app::detail::begin_everywhere(context, target.folder, time_state.step);
  if (!made) return std::unexpected(made.error());
  manifest.sequence = made->sequence;
  io::CheckpointFiles files(context.files, made->path,
                            {manifest.block_bytes(), manifest.blocks_per_file});
  Result<void> mine;
  const auto note = [&](const Result<void>& done) {
    if (mine && !done) mine = done;
  };
  // The index is in the order of tiles: each rank writes an equal share of it.
  const auto n_tiles = static_cast<std::uint64_t>(state.layout().n_tiles());
  const auto n_ranks = static_cast<std::uint64_t>(transport.n_ranks());
  std::vector<std::pair<Rank, PlacedEntry>> entries;
  std::vector<double> block(manifest.block_bytes() / sizeof(double));
  for (const Tile& tile : state.tiles()) {
    std::ranges::fill(block, 0.0);
    SlabField& field = state.fields().at(state.slab_of(tile.place.column));
    for_each_run(state, tile, field, static_cast<int>(time_state.step % 2), block.data(),
                 [](const double* from, double* to, int n) { std::copy_n(from, n, to); });
    const auto bytes = std::as_bytes(std::span(block));
    const auto position = static_cast<std::uint64_t>(state.layout().number(tile.place));
    entries.emplace_back(Rank(((position + 1) * n_ranks - 1) / n_tiles),
                         PlacedEntry{position, {0, crc32c(bytes), position}});
    if (mine) note(files.write_blocks(position, bytes));
  }
  auto arrived = flow::exchange_sparse<PlacedEntry>(transport, std::span(std::as_const(entries)));
  std::ranges::sort(arrived, {}, [](const auto& entry) { return entry.second.position; });
  std::vector<io::IndexEntry> index;
  for (const auto& [from, placed] : arrived) index.push_back(placed.entry);
  const std::uint64_t first = n_tiles * transport.rank()() / n_ranks;
  if (mine && !index.empty()) note(files.write_index(first, index));
  if (mine) note(files.sync());
  return app::detail::finish_everywhere(context, target, made->path, std::move(manifest), {index},
                                        mine);
}

Result<void> read_checkpoint(const app::Context& context, const app::Checkpoint& from,
                             State& state) {
  const io::Manifest& manifest = from.manifest;
  const io::Manifest expected = describe(state);
  if (manifest.dimension != expected.dimension || manifest.lower != expected.lower ||
      manifest.upper != expected.upper || manifest.root_blocks != expected.root_blocks ||
      manifest.block_cells != expected.block_cells)
    throw Error(fmt::format(
        "'{}' has another mesh, or other tiles or another predictor, than the deck (a run "
        "goes on with those it began with); use the deck it was written with",
        from.path));
  const io::CheckpointFiles files(context.files, from.path,
                                  {manifest.block_bytes(), manifest.blocks_per_file});
  std::vector<double> block(manifest.block_bytes() / sizeof(double));
  for (const Tile& tile : state.tiles()) {
    const auto position = static_cast<std::uint64_t>(state.layout().number(tile.place));
    if (auto done = files.read_blocks(position, std::as_writable_bytes(std::span(block))); !done)
      return done;
    SlabField& field = state.fields().at(state.slab_of(tile.place.column));
    for_each_run(state, tile, field, static_cast<int>(manifest.step % 2), block.data(),
                 [](double* to, const double* stored, int n) { std::copy_n(stored, n, to); });
  }
  return {};
}

}  // namespace thalweg::vlasov
