// SPDX-License-Identifier: MIT
#include <thalweg/io/checkpoint.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/crc32c.hpp>

namespace thalweg::io {

namespace {

/// That a file is not there at all, or what it lacks.
std::unexpected<Failure> unusable(const std::string& file, bool is_there, std::string_view lack) {
  return std::unexpected(Failure{
      fmt::format("cannot read '{}': {}", file,
                  is_there ? lack : "it is not there, removed or not copied with the rest")});
}

}  // namespace

std::uint64_t CheckpointFiles::default_blocks_per_file(std::uint64_t block_bytes) {
  constexpr std::uint64_t file_bytes = std::uint64_t{1} << 30;
  return std::max<std::uint64_t>(1, file_bytes / block_bytes);
}

std::uint64_t CheckpointFiles::blocks_at_once(std::uint64_t block_bytes) {
  constexpr std::uint64_t access_bytes = 4 << 20;  // large enough for any disk
  return std::max<std::uint64_t>(1, access_bytes / block_bytes);
}

std::string CheckpointFiles::data_file(std::uint64_t number) const {
  return fmt::format("{}/cells_{:05}", path_, number);
}

// Call what(file, offset, bytes) for the part of some blocks that lies in each file.
template <class Byte, class Do>
Result<void> CheckpointFiles::for_each_file(std::uint64_t first, std::span<Byte> cells,
                                            Do&& what) const {
  THALWEG_EXPECT(cells.size() % layout_.block_bytes == 0, "whole blocks");
  while (!cells.empty()) {
    const std::uint64_t in_file = first % layout_.blocks_per_file;
    const std::uint64_t n = std::min<std::uint64_t>(cells.size() / layout_.block_bytes,
                                                    layout_.blocks_per_file - in_file);
    const auto part = cells.first(n * layout_.block_bytes);
    const auto done =
        what(data_file(first / layout_.blocks_per_file), in_file * layout_.block_bytes, part);
    if (!done) return done;
    first += n;
    cells = cells.subspan(part.size());
  }
  return {};
}

Result<void> CheckpointFiles::write_blocks(std::uint64_t first, std::span<const std::byte> cells) {
  return for_each_file(first, cells,
                       [&](const std::string& file, std::uint64_t offset,
                           std::span<const std::byte> part) -> Result<void> {
                         if (std::ranges::count(written_, file) == 0) written_.push_back(file);
                         return files_.write(file, offset, part);
                       });
}

Result<void> CheckpointFiles::read_blocks(std::uint64_t first, std::span<std::byte> cells) const {
  return for_each_file(
      first, cells, [&](const std::string& file, std::uint64_t offset, std::span<std::byte> part) {
        return files_.read(file, offset, part);
      });
}

Result<void> CheckpointFiles::write_index(std::uint64_t first,
                                          std::span<const IndexEntry> entries) {
  if (entries.empty()) return {};
  if (std::ranges::count(written_, index_file()) == 0) written_.push_back(index_file());
  return files_.write(index_file(), first * sizeof(IndexEntry), std::as_bytes(entries));
}

Result<std::vector<IndexEntry>> CheckpointFiles::read_index(std::uint64_t first,
                                                            std::uint64_t n) const {
  std::vector<IndexEntry> entries;
  if (n == 0) return entries;
  // Ask before taking memory: a manifest may name more blocks than the index has.
  const auto status = files_.status(index_file());
  if (!status) return std::unexpected(status.error());
  if (!*status || (*status)->size_bytes / sizeof(IndexEntry) < first + n)
    return unusable(index_file(), status->has_value(),
                    fmt::format("it has not {} entries", first + n));
  entries.resize(n);
  const auto done = files_.read(index_file(), first * sizeof(IndexEntry),
                                std::as_writable_bytes(std::span(entries)));
  if (!done) return std::unexpected(done.error());
  return entries;
}

Result<void> CheckpointFiles::has_block(std::uint64_t position) const {
  const std::string file = data_file(position / layout_.blocks_per_file);
  const std::uint64_t n_blocks = position % layout_.blocks_per_file + 1;
  const auto status = files_.status(file);
  if (!status) return std::unexpected(status.error());
  if (!*status || (*status)->size_bytes / layout_.block_bytes < n_blocks)
    return unusable(file, status->has_value(), fmt::format("block {} is not in it", position));
  return {};
}

Result<void> CheckpointFiles::sync() {
  for (const std::string& file : written_)
    if (const auto done = files_.sync(file); !done) return done;
  return {};
}

Result<std::uint32_t> check_blocks(FileSystem& files, const std::string& path,
                                   const Manifest& manifest, std::uint64_t first, std::uint64_t n) {
  const CheckpointFiles data(files, path, {manifest.block_bytes(), manifest.blocks_per_file});
  const auto entries = data.read_index(first, n);
  if (!entries) return std::unexpected(entries.error());
  if (const auto index = files.status(path + "/index");
      index && *index && (*index)->size_bytes > manifest.n_blocks() * sizeof(IndexEntry))
    return std::unexpected(Failure{
        fmt::format("the index of '{}' is damaged: there are bytes behind its last entry", path)});
  // Ask before taking memory: blocks may be larger than all that is there.
  if (n > 0)
    if (const auto there = data.has_block(first); !there) return std::unexpected(there.error());
  const std::uint64_t block_bytes = manifest.block_bytes();
  const std::uint64_t n_at_once = std::min(n, CheckpointFiles::blocks_at_once(block_bytes));
  std::vector<std::byte> buffer(n_at_once * block_bytes);
  for (std::uint64_t b = 0; b < n; ++b) {
    const std::uint64_t in_buffer = b % n_at_once;
    if (in_buffer == 0) {
      const auto cells = std::span(buffer).first(std::min(n_at_once, n - b) * block_bytes);
      if (const auto done = data.read_blocks(first + b, cells); !done)
        return std::unexpected(done.error());
    }
    const std::uint32_t crc =
        crc32c(std::span(buffer).subspan(in_buffer * block_bytes, block_bytes));
    if (const IndexEntry& entry = (*entries)[b]; crc != entry.crc)
      return std::unexpected(Failure{
          fmt::format("block {} of '{}' (level {}) is damaged: its check sum is {:08x}, not {:08x}",
                      first + b, path, entry.level, crc, entry.crc)});
  }
  return crc32c(std::as_bytes(std::span(*entries)));
}

}  // namespace thalweg::io
