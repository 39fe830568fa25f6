// SPDX-License-Identifier: MIT
#include <thalweg/app/checkpoint.hpp>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>

namespace thalweg::app {

namespace {

/// A piece of something long: its sum and size.
struct Piece {
  std::uint64_t n_bytes = 0;
  std::uint64_t crc = 0;
};

Piece piece_of(std::uint32_t crc, std::uint64_t n_entries) {
  return {n_entries * sizeof(io::IndexEntry), crc};
}

Piece join(const Piece& a, const Piece& b) {
  return {a.n_bytes + b.n_bytes, crc32c_combined(static_cast<std::uint32_t>(a.crc),
                                                 static_cast<std::uint32_t>(b.crc), b.n_bytes)};
}

/// Read a manifest on rank 0 and give it to all.
Result<io::Manifest> manifest_everywhere(const Context& context, const std::string& path) {
  const auto text = made_by_rank_0(context.transport, [&]() -> Result<std::string> {
    const auto manifest = io::read_manifest(context.files, path);
    if (!manifest) return std::unexpected(manifest.error());
    return io::to_text(*manifest);
  });
  if (!text) return std::unexpected(text.error());
  return io::parse_manifest(*text);
}

/// Check the cells and the index, each rank an equal part. Collective.
Result<void> check_everywhere(const Context& context, const std::string& path,
                              const io::Manifest& manifest) {
  const std::uint64_t n = manifest.n_blocks();
  const std::uint64_t rank = context.transport.rank()();
  const auto n_ranks = static_cast<std::uint64_t>(context.transport.n_ranks());
  const std::uint64_t first = n * rank / n_ranks;
  const std::uint64_t mine = n * (rank + 1) / n_ranks - first;
  const auto crc = io::check_blocks(context.files, path, manifest, first, mine);
  const Result<void> done =
      crc ? Result<void>() : Result<void>(std::unexpected(Failure{crc.error().message}));
  if (const auto all = check_on_all_ranks(context.transport, done); !all) return all;
  const Piece whole = flow::all_reduce(context.transport, piece_of(crc.value_or(0), mine), join);
  if (whole.crc != manifest.index_crc)
    return std::unexpected(
        Failure{fmt::format("the index of '{}' is damaged: its check sum is {:08x}, not {:08x}",
                            path, whole.crc, manifest.index_crc)});
  return {};
}

}  // namespace

namespace detail {

Result<io::NewCheckpoint> begin_everywhere(const Context& context, const std::string& folder,
                                           std::int64_t step) {
  auto& transport = context.transport;
  io::NewCheckpoint made;
  Result<void> mine;
  if (transport.rank() == Rank{0}) {
    auto begun = io::begin_checkpoint(context.files, folder, step);
    if (begun)
      made = *std::move(begun);
    else
      mine = std::unexpected(begun.error());
  }
  if (const auto all = check_on_all_ranks(transport, mine); !all)
    return std::unexpected(all.error());
  if (!made.leftover.empty())
    context.log.world(LogLevel::warn,
                      fmt::format("what a run left of a checkpoint is still there ({}); remove it, "
                                  "or have its owner do so: it takes room",
                                  made.leftover));
  made.path = broadcast(transport, made.path);
  made.sequence = flow::broadcast(transport, made.sequence);
  return made;
}

Result<Checkpoint> finish_everywhere(const Context& context, const CheckpointTarget& target,
                                     const std::string& path, io::Manifest manifest,
                                     const std::vector<std::vector<io::IndexEntry>>& parts,
                                     const Result<void>& mine) {
  auto& transport = context.transport;
  auto written = check_on_all_ranks(transport, mine);
  Piece whole;
  for (const auto& of_level : parts) {
    const Piece mine_of_level =
        piece_of(crc32c(std::as_bytes(std::span(of_level))), of_level.size());
    whole = join(whole, flow::all_reduce(transport, mine_of_level, join));
  }
  manifest.index_crc = static_cast<std::uint32_t>(whole.crc);

  std::string final_path;
  if (transport.rank() == Rank{0}) {
    if (written) {
      const auto named = io::commit_checkpoint(context.files, path, manifest);
      if (named)
        final_path = *named;
      else
        written = std::unexpected(named.error());
    }
    // What is not whole is of no use, and the disk may be full. If this fails as well, so be it.
    if (!written) static_cast<void>(context.files.remove(path));
  }
  if (const auto all = check_on_all_ranks(transport, written); !all)
    return std::unexpected(all.error());
  final_path = broadcast(transport, final_path);
  // It may take long: nobody waits for it here.
  if (transport.rank() == Rank{0})
    if (const auto retired = io::retire_checkpoints(context.files, target.folder, target.keep);
        !retired)
      context.log.world(LogLevel::warn, fmt::format("an old checkpoint is still there ({})",
                                                    retired.error().message));
  return Checkpoint{std::move(final_path), std::move(manifest)};
}

}  // namespace detail

void check_components(const Checkpoint& from, const std::vector<std::string>& names) {
  const auto& before = from.manifest.components;
  if (before != names)
    throw Error(
        fmt::format("'{}' has the components {}, and the problem {} (a run goes on with "
                    "those it began with); use the deck it was written with",
                    from.path, joined_text(before, ", "), joined_text(names, ", ")));
}

Result<Checkpoint> whole_checkpoint(const Context& context, const std::string& path) {
  auto manifest = manifest_everywhere(context, path);
  if (!manifest) return std::unexpected(manifest.error());
  if (const auto checked = check_everywhere(context, path, *manifest); !checked)
    return std::unexpected(checked.error());
  return Checkpoint{path, std::move(*manifest)};
}

Result<Checkpoint> newest_checkpoint(const Context& context, const std::string& folder) {
  std::string paths;  // each ended by a 0, newest first
  Result<void> mine;
  if (context.transport.rank() == Rank{0}) {
    auto found = io::find_checkpoints(context.files, folder);
    if (!found) {
      mine = std::unexpected(found.error());
      found.emplace();
    }
    for (const auto& checkpoint : *found) {
      if (checkpoint.manifest)
        paths += checkpoint.path + '\0';
      else
        context.log.world(LogLevel::warn, fmt::format("skipping a checkpoint: {}",
                                                      checkpoint.manifest.error().message));
    }
  }
  if (const auto all = check_on_all_ranks(context.transport, mine); !all)
    return std::unexpected(all.error());
  const std::string all_paths = broadcast(context.transport, paths);
  for (std::size_t begin = 0; begin < all_paths.size();) {
    const std::size_t end = all_paths.find('\0', begin);
    auto checkpoint = whole_checkpoint(context, all_paths.substr(begin, end - begin));
    if (checkpoint) return checkpoint;
    context.log.world(LogLevel::warn,
                      fmt::format("skipping a checkpoint: {}", checkpoint.error().message));
    begin = end + 1;
  }
  return std::unexpected(Failure{fmt::format("there is no whole checkpoint in '{}'", folder)});
}

}  // namespace thalweg::app
