// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/checkpoint_target.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/app/problem.hpp>
#include <thalweg/core/crc32c.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/exchange/emit/collectives.hpp>
#include <thalweg/field/fields.hpp>
#include <thalweg/field/level_field.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/io/checkpoint.hpp>
#include <thalweg/mesh/leaf_regrid.hpp>
#include <thalweg/mesh/regrid.hpp>
#include <thalweg/step/mesh.hpp>
#include <thalweg/step/state.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::app {

/// Find the newest whole checkpoint of a folder. Collective.
///
/// Reads all of it, each rank a part. Newer ones that are damaged are passed over, each with a
/// warning that says what is wrong with it.
/// @errors says, on all ranks alike, that there is none
Result<Checkpoint> newest_checkpoint(const Context& context, const std::string& folder);

/// Read a checkpoint by its path and check all of it. Collective.
/// @errors says, on all ranks alike, what is wrong with it
Result<Checkpoint> whole_checkpoint(const Context& context, const std::string& path);

namespace detail {

/// An array of a level that checkpoints have.
template <int D>
struct StoredArray {
  const field::LevelField<D>* blocks;
  Centring<D> centring;
};

/// The arrays of a level that checkpoints have of each block, one behind the other: cells, then
/// faces that are not derived.
template <int D>
std::vector<StoredArray<D>> stored_arrays(const step::Mesh<D>& mesh, const step::State<D>& state,
                                          int level) {
  const auto l = static_cast<std::size_t>(level);
  std::vector<StoredArray<D>> arrays{{&state.cells[l], {}}};
  for (std::size_t i = 0; i < mesh.points.size(); ++i)
    if (!mesh.points[i].is_derived)
      arrays.push_back({&state.points[i][l], mesh.points[i].template centring<D>()});
  return arrays;
}

/// How many fields on faces checkpoints have, of these arrays.
inline int n_face_fields(std::span<const field::PointArray> points) {
  return static_cast<int>(std::ranges::count_if(
      points, [](const auto& array) { return !array.is_derived && array.axis == 0; }));
}

/// What checkpoints have of a block: no ghosts, component slowest.
/// @param row  row(double*, bytes)
template <int D, class Row>
void for_each_checkpoint_row(const std::vector<StoredArray<D>>& arrays, const Box<D>& valid,
                             std::size_t block, Row&& row) {
  for (const auto& [blocks, centring] : arrays) {
    const View<double, D>& view = blocks->view(block);
    for (int c = 0; c < view.n_components(); ++c)
      for_each_row(centring.points(valid), [&](const Index<D>& i, int n) {
        row(view.at(c, i), static_cast<std::size_t>(n) * sizeof(double));
      });
  }
}

/// Begin on rank 0 and tell all ranks. Collective.
Result<io::NewCheckpoint> begin_everywhere(const Context& context, const std::string& folder,
                                           std::int64_t step);

/// After all ranks have written: the sums of their parts of the index, on all levels, become that
/// of the whole, and rank 0 makes the checkpoint count. Collective.
///
/// @param parts  of each level, this rank's part of the index
Result<Checkpoint> finish_everywhere(const Context& context, const CheckpointTarget& target,
                                     const std::string& path, io::Manifest manifest,
                                     const std::vector<std::vector<io::IndexEntry>>& parts,
                                     const Result<void>& mine);

/// Everything a manifest says of the mesh.
template <int D>
void describe_mesh(const mesh::Forest<D>& forest, io::Manifest& manifest) {
  const auto& config = forest.geometry.config();
  manifest.dimension = D;
  for (int a = 0; a < D; ++a) {
    manifest.lower.push_back(config.lower[a]);
    manifest.upper.push_back(config.upper[a]);
    manifest.root_blocks.push_back(config.root_blocks[a]);
    manifest.block_cells.push_back(config.block_cells[a]);
    manifest.periodic.push_back(config.periodic[a] ? 1 : 0);
  }
  manifest.ratio = config.ratio.given();
  manifest.max_level = config.max_level;
  for (int l = 0; l < forest.n_levels(); ++l)
    manifest.blocks_per_level.push_back(forest.level(l).n_global);
}

/// The first of a rank's blocks from b on that does not follow the one before it on the curve.
template <int D>
std::size_t end_of_run(const mesh::LevelSet<D>& set, std::size_t b) {
  const std::int64_t before = set.position(b) - static_cast<std::int64_t>(b);
  while (b < set.keys.size() && set.position(b) == before + static_cast<std::int64_t>(b)) ++b;
  return b;
}

/// A block's entry in the index, and where the block is on the curve.
struct PlacedEntry {
  std::int64_t position = 0;
  io::IndexEntry entry;
};

/// This rank's part of the index of a level, and where it begins, so that the ranks' parts follow
/// each other. Where blocks are assigned explicitly, those of equal numbers of blocks. Collective.
/// @param index  of this rank's blocks; fewer where they could not be written
template <int D>
std::int64_t put_in_order(flow::Transport& transport, const mesh::LevelSet<D>& set,
                          bool has_explicit_owners, std::vector<io::IndexEntry>& index) {
  if (!has_explicit_owners) return set.first_global;
  const std::int64_t n_ranks = transport.n_ranks();
  mesh::Messages<PlacedEntry> out;
  for (std::size_t i = 0; i < index.size(); ++i)
    out.emplace_back(static_cast<int>(((set.position(i) + 1) * n_ranks - 1) / set.n_global),
                     PlacedEntry{set.position(i), index[i]});
  auto arrived = exchange::TransportCollectives(transport).exchange(out);
  std::ranges::sort(arrived, {}, [](const auto& placed) { return placed.second.position; });
  index.clear();
  for (const auto& [from, placed] : arrived) index.push_back(placed.entry);
  return set.n_global * static_cast<std::int64_t>(transport.rank()()) / n_ranks;
}

/// Write this rank's blocks of one level; makes their part of the index.
///
/// @param position  of the level's first block among those of all levels
template <int D>
Result<void> write_level(io::CheckpointFiles& files, const mesh::Forest<D>& forest, int level,
                         std::uint64_t position, const std::vector<StoredArray<D>>& arrays,
                         std::uint64_t block_bytes, std::vector<io::IndexEntry>& index) {
  const auto& set = forest.level(level);
  const std::uint64_t per_write = io::CheckpointFiles::blocks_at_once(block_bytes);
  const std::uint64_t n_blocks = set.keys.size();
  std::vector<std::byte> buffer(std::min(per_write, n_blocks) * block_bytes);
  for (std::uint64_t b = 0; b < n_blocks;) {
    const std::uint64_t n = std::min<std::uint64_t>(per_write, end_of_run(set, b) - b);
    std::byte* to = buffer.data();
    for (std::uint64_t i = b; i < b + n; ++i) {
      const std::byte* const start = to;
      for_each_checkpoint_row(arrays, forest.geometry.cells(set.keys[i]), i,
                              [&](const double* from, std::size_t n_bytes) {
                                std::memcpy(to, from, n_bytes);
                                to += n_bytes;
                              });
      index.push_back({level, crc32c({start, block_bytes}), set.keys[i].code});
    }
    const std::uint64_t first = position + static_cast<std::uint64_t>(set.position(b));
    if (const auto done = files.write_blocks(first, {buffer.data(), n * block_bytes}); !done)
      return done;
    b += n;
  }
  return {};
}

}  // namespace detail

/// Write a checkpoint of the state between two steps. Collective.
///
/// When it returns success, the checkpoint survives a loss of power; older ones but the newest
/// `keep` have been removed. When it fails, on all ranks alike, older ones are as they were.
template <int D>
[[nodiscard]] Result<Checkpoint> write_checkpoint(const Context& context, const step::Mesh<D>& mesh,
                                                  const step::State<D>& state,
                                                  const step::TimeState& time_state,
                                                  std::int64_t last_regrid,
                                                  const CheckpointTarget& target) {
  io::Manifest manifest{.scheme = target.scheme,
                        .functions = target.functions,
                        .components = target.components,
                        .step = time_state.step,
                        .time = time_state.time,
                        .dt_before = time_state.dt_before,
                        .last_regrid = last_regrid,
                        .totals_at_start = target.totals_at_start,
                        .deck = target.deck};
  manifest.face_fields = detail::n_face_fields(mesh.points);
  detail::describe_mesh(mesh.forest, manifest);
  manifest.blocks_per_file = io::CheckpointFiles::default_blocks_per_file(manifest.block_bytes());

  const auto made = detail::begin_everywhere(context, target.folder, time_state.step);
  if (!made) return std::unexpected(made.error());
  manifest.sequence = made->sequence;
  io::CheckpointFiles files(context.files, made->path,
                            {manifest.block_bytes(), manifest.blocks_per_file});
  std::vector<std::vector<io::IndexEntry>> parts(static_cast<std::size_t>(mesh.n_levels()));
  std::uint64_t position = 0;
  Result<void> mine;
  for (int l = 0; l < mesh.n_levels(); ++l) {
    const auto index = static_cast<std::size_t>(l);
    if (mine)
      mine = detail::write_level(files, mesh.forest, l, position,
                                 detail::stored_arrays(mesh, state, l), manifest.block_bytes(),
                                 parts[index]);
    const std::int64_t first = detail::put_in_order(context.transport, mesh.forest.level(l),
                                                    mesh.forest.has_explicit_owners, parts[index]);
    if (mine) mine = files.write_index(position + static_cast<std::uint64_t>(first), parts[index]);
    position += static_cast<std::uint64_t>(mesh.forest.level(l).n_global);
  }
  if (mine) mine = files.sync();
  return detail::finish_everywhere(context, target, made->path, std::move(manifest), parts, mine);
}

/// The geometry of a checkpoint's mesh. @errors throws Error where it has another dimension or
/// numbers that no geometry has
template <int D>
mesh::Geometry<D> geometry_of(const io::Manifest& manifest) {
  if (manifest.dimension != D)
    throw Error(fmt::format("the checkpoint has {} axes, not {}", manifest.dimension, D));
  typename mesh::Geometry<D>::Config config{.ratio = mesh::Ratios(manifest.ratio),
                                            .max_level = manifest.max_level};
  for (int a = 0; a < D; ++a) {
    const auto i = static_cast<std::size_t>(a);
    config.lower[a] = manifest.lower[i];
    config.upper[a] = manifest.upper[i];
    config.root_blocks[a] = static_cast<int>(manifest.root_blocks[i]);
    config.block_cells[a] = static_cast<int>(manifest.block_cells[i]);
    config.periodic[a] = manifest.periodic[i] == 1;
  }
  return mesh::Geometry<D>(config);
}

/// Whether a run on one mesh may go on on another: what differs are levels that only one allows.
template <int D>
bool may_go_on(const mesh::Geometry<D>& from, const mesh::Geometry<D>& to) {
  auto before = from.config(), after = to.config();
  for (int l = 0; l < std::min(before.max_level, after.max_level); ++l)
    if (before.ratio.of(l) != after.ratio.of(l)) return false;
  before.ratio = after.ratio;
  before.max_level = after.max_level;
  return before == after;
}

/// Refuse a checkpoint with other components than the problem's.
/// @throws Error that names both
void check_components(const Checkpoint& from, const std::vector<std::string>& names);

namespace detail {

/// This rank's equal share of the blocks of each level that the geometry allows.
/// @errors where it is not sorted along the curve, or not of this mesh
template <int D>
Result<mesh::KeySets<D>> read_share(const Context& context, const mesh::Geometry<D>& geometry,
                                    const Checkpoint& checkpoint) {
  const auto rank = static_cast<std::int64_t>(context.transport.rank()());
  const auto n_ranks = static_cast<std::int64_t>(context.transport.n_ranks());
  const io::CheckpointFiles files(
      context.files, checkpoint.path,
      {checkpoint.manifest.block_bytes(), checkpoint.manifest.blocks_per_file});
  mesh::KeySets<D> share;
  std::int64_t position = 0;
  for (std::int32_t l = 0; const std::int64_t n : checkpoint.manifest.blocks_per_level) {
    if (l > geometry.max_level()) break;
    const std::int64_t first = n * rank / n_ranks;
    const std::int64_t last = n * (rank + 1) / n_ranks;
    // The block before ours tells whether the ranks' shares follow each other.
    const std::int64_t from = first > 0 && last > first ? first - 1 : first;
    const auto entries = files.read_index(static_cast<std::uint64_t>(position + from),
                                          static_cast<std::uint64_t>(last - from));
    if (!entries) return std::unexpected(entries.error());
    auto& keys = share.levels.emplace_back();
    for (const auto& entry : *entries) {
      const mesh::Key<D> key{entry.level, entry.code};
      if (entry.level != l || !geometry.contains(key) || (!keys.empty() && keys.back() >= key))
        return std::unexpected(Failure{fmt::format(
            "the index of '{}' is damaged: it names blocks that its mesh does not have, or in "
            "another order",
            checkpoint.path)});
      keys.push_back(key);
    }
    if (from < first) keys.erase(keys.begin());
    position += n;
    ++l;
  }
  return share;
}

/// The forest of a checkpoint in leaf mode: the smallest one that has its blocks has no others.
template <int D, class Collectives>
Result<mesh::Forest<D>> forest_of_leaves(Collectives& collectives, const mesh::Forest<D>& start,
                                         const mesh::KeySets<D>& share,
                                         const Checkpoint& checkpoint,
                                         mesh::Partitioner partitioner) {
  std::vector<mesh::Key<D>> keys;
  for (std::size_t l = 1; l < share.levels.size(); ++l)
    keys.insert(keys.end(), share.levels[l].begin(), share.levels[l].end());
  auto forest =
      mesh::regrid_leaves<D>(start, keys, collectives, static_cast<int>(share.levels.size()),
                             nullptr, {}, partitioner)
          .forest;
  std::vector<std::int64_t> blocks_per_level;
  for (const auto& level : forest.levels) blocks_per_level.push_back(level.n_global);
  if (!std::ranges::equal(
          blocks_per_level,
          std::span(checkpoint.manifest.blocks_per_level).first(share.levels.size())))
    return std::unexpected(
        Failure{fmt::format("the blocks of '{}' are no leaves that are balanced, with what lies "
                            "under them (it may be of a nested mesh); go on in the mode that it "
                            "was written in",
                            checkpoint.path)});
  return forest;
}

}  // namespace detail

/// Read the blocks of a checkpoint and divide them among the ranks there are now; levels that the
/// geometry does not allow are left out: what lies under them are their means. Collective.
/// @pre may_go_on from the checkpoint's geometry to this one
/// @errors says, on all ranks alike, what is wrong with its index
template <int D>
Result<mesh::Forest<D>> read_forest(const Context& context, const mesh::Geometry<D>& geometry,
                                    const Checkpoint& checkpoint,
                                    const Partitioning& partitioning = {},
                                    MeshMode mode = MeshMode::nested) {
  auto& transport = context.transport;
  exchange::TransportCollectives collectives(transport);
  const auto share = detail::read_share<D>(context, geometry, checkpoint);
  const auto mine = share ? Result<void>() : Result<void>(std::unexpected(share.error()));
  if (const auto all = check_on_all_ranks(transport, mine); !all)
    return std::unexpected(all.error());
  const auto start =
      mesh::initial_forest(geometry, transport.rank(), transport.n_ranks(), collectives,
                           partitioning.directory_for(transport.n_ranks()));
  if (mode == MeshMode::leaf)
    return detail::forest_of_leaves(collectives, start, *share, checkpoint,
                                    partitioning.partitioner);
  auto forest = mesh::partition(start, *share, mesh::unit_weights(*share), collectives).forest;

  // The sums are right, so this is for files that somebody has made: a forest is what a regrid
  // makes of its own blocks.
  std::vector<mesh::Key<D>> finer;
  for (int l = 1; l < forest.n_levels(); ++l)
    finer.insert(finer.end(), forest.level(l).keys.begin(), forest.level(l).keys.end());
  const bool is_forest = forest.level(0).keys == start.level(0).keys &&
                         mesh::has_same_blocks(mesh::regrid<D>(forest, finer, collectives), forest);
  if (flow::all_reduce(transport, is_forest ? 0 : 1, std::plus<int>{}) > 0)
    return std::unexpected(
        Failure{fmt::format("the blocks of '{}' are not nested", checkpoint.path)});
  return mesh::reassigned_forest(forest, collectives, partitioning.partitioner);
}

/// Read this rank's blocks, bit by bit as they were.
/// @errors a file that cannot be read or has changed since it was checked; perhaps on this rank
/// alone
template <int D>
Result<void> read_cells(const Context& context, const Checkpoint& checkpoint,
                        const step::Mesh<D>& mesh, const step::State<D>& state) {
  const auto& manifest = checkpoint.manifest;
  const io::CheckpointFiles files(context.files, checkpoint.path,
                                  {manifest.block_bytes(), manifest.blocks_per_file});
  const std::uint64_t block_bytes = manifest.block_bytes();
  const std::uint64_t per_read = io::CheckpointFiles::blocks_at_once(block_bytes);
  std::vector<std::byte> buffer(per_read * block_bytes);
  std::uint64_t position = 0;
  for (int l = 0; l < mesh.n_levels(); ++l) {
    const auto& set = mesh.forest.level(l);
    const auto arrays = detail::stored_arrays(mesh, state, l);
    std::vector<io::IndexEntry> index;
    for (std::size_t b = 0; b < set.keys.size();) {
      const std::uint64_t where = position + static_cast<std::uint64_t>(set.position(b));
      if (b == index.size()) {
        const auto run = files.read_index(where, detail::end_of_run(set, b) - b);
        if (!run) return std::unexpected(run.error());
        index.insert(index.end(), run->begin(), run->end());
      }
      const std::uint64_t n = std::min<std::uint64_t>(per_read, index.size() - b);
      if (const auto done = files.read_blocks(where, std::span(buffer).first(n * block_bytes));
          !done)
        return done;
      const std::byte* from = buffer.data();
      for (const std::size_t end_of_read = b + n; b < end_of_read; ++b) {
        if (crc32c({from, block_bytes}) != index[b].crc || set.keys[b].code != index[b].code)
          return std::unexpected(
              Failure{fmt::format("'{}' has changed while it was read", checkpoint.path)});
        detail::for_each_checkpoint_row(arrays, mesh.forest.geometry.cells(set.keys[b]), b,
                                        [&](double* to, std::size_t n_bytes) {
                                          std::memcpy(to, from, n_bytes);
                                          from += n_bytes;
                                        });
      }
    }
    position += static_cast<std::uint64_t>(set.n_global);
  }
  return {};
}

}  // namespace thalweg::app
