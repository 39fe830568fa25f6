// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/manifest.hpp>

namespace thalweg::io {

/// A block in the index of a checkpoint.
struct IndexEntry {
  std::int32_t level = 0;
  std::uint32_t crc = 0;   ///< CRC-32C of its cells
  std::uint64_t code = 0;  ///< its place on the level's curve

  bool operator==(const IndexEntry&) const = default;
};
static_assert(sizeof(IndexEntry) == 16, "written as it lies in memory");

/// The cells and the index of a checkpoint in a folder of its own.
///
/// A block is named by its position among all, in the order of levels and along the curve: so the
/// files have the same bytes whoever writes them. Position p is in file p / blocks_per_file.
/// @threads one at a time; objects of other ranks may write other positions of the same files
class CheckpointFiles {
 public:
  struct Layout {
    std::uint64_t block_bytes = 0;
    std::uint64_t blocks_per_file = 1;
  };
  /// As many blocks a file as come next to 1 GiB.
  static std::uint64_t default_blocks_per_file(std::uint64_t block_bytes);
  /// How many blocks to write or read at once: each time a file is opened.
  static std::uint64_t blocks_at_once(std::uint64_t block_bytes);

  CheckpointFiles(FileSystem& files, std::string path, const Layout& layout)
      : files_(files), path_(std::move(path)), layout_(layout) {}

  /// Write the cells of whole blocks from a position on.
  Result<void> write_blocks(std::uint64_t first, std::span<const std::byte> cells);
  Result<void> read_blocks(std::uint64_t first, std::span<std::byte> cells) const;
  /// Whether the file of a block is long enough to have it; says which is not.
  Result<void> has_block(std::uint64_t position) const;
  Result<void> write_index(std::uint64_t first, std::span<const IndexEntry> entries);
  Result<std::vector<IndexEntry>> read_index(std::uint64_t first, std::uint64_t n) const;
  /// Make all that was written through this object survive a loss of power.
  Result<void> sync();

 private:
  std::string data_file(std::uint64_t number) const;
  std::string index_file() const { return path_ + "/index"; }
  template <class Byte, class Do>
  Result<void> for_each_file(std::uint64_t first, std::span<Byte> cells, Do&& what) const;

  FileSystem& files_;
  std::string path_;
  Layout layout_;
  std::vector<std::string> written_;  ///< files, each once
};

/// Check part of a checkpoint: that the blocks' cells are those the index has the sums of.
/// @return the CRC-32C of this part of the index
Result<std::uint32_t> check_blocks(FileSystem& files, const std::string& path,
                                   const Manifest& manifest, std::uint64_t first, std::uint64_t n);

// How checkpoints come and go in the folder of a run. One rank does this. A checkpoint is there as
// soon as its manifest is; everything else has been made durable before. See README.md.

/// Whether a folder of this name is, or was to be, a checkpoint: chk00040, or chk00040.7 if there
/// was one of that step already.
bool is_checkpoint_name(std::string_view name);
/// Whether a folder is a checkpoint, or what a killed run left of one: it has a manifest, or
/// nothing but files of checkpoints in it.
bool is_of_checkpoint(const FileSystem& files, const std::string& path);
/// Whether a folder of this name is a checkpoint that its run has gone back behind:
/// chk00040.superseded.
bool is_superseded_name(std::string_view name);
/// Whether a folder of this name is a checkpoint being removed: chk00040.trash.
bool is_retired_name(std::string_view name);

/// A folder that looks like a checkpoint.
struct FoundCheckpoint {
  std::string path;
  Result<Manifest> manifest;  ///< or why it cannot be used
};

/// Find the checkpoints of a folder, newest first; those that cannot be used come last. Superseded
/// ones are none.
Result<std::vector<FoundCheckpoint>> find_checkpoints(const FileSystem& files,
                                                      const std::string& folder);

/// Read the manifest of a checkpoint.
Result<Manifest> read_manifest(const FileSystem& files, const std::string& path);

/// Where the next checkpoint is to be written.
struct NewCheckpoint {
  std::string path;
  std::uint64_t sequence = 0;
  std::string leftover{};  ///< why what was never finished is still there; "": all is gone
};

/// Make an empty folder for a checkpoint, and remove what was never finished. What cannot be
/// removed, as another user's, stays and keeps its name.
Result<NewCheckpoint> begin_checkpoint(FileSystem& files, const std::string& folder,
                                       std::int64_t step);

/// Make a checkpoint count whose other files are durable. When it returns, so is all of it.
/// @pre the name of the folder that it lies in is durable (FolderLock::take sees to that)
/// @return its path: in place of an older one of the same step it gets that one's name
/// @errors also where its manifest could not be read back, as with a time that is not finite
Result<std::string> commit_checkpoint(FileSystem& files, const std::string& path,
                                      const Manifest& manifest);

/// Give checkpoints another name from which a run does not go on that goes on from a certain one:
/// those that are newer or of a later step, chk00040 to chk00040.superseded, in place of what has
/// that name. When it returns, that is durable; the newest comes last, and so whatever happens
/// before, a run goes on from the newest as if nothing had been done.
/// @return the paths that they had, oldest first
Result<std::vector<std::string>> supersede_checkpoints(FileSystem& files, const std::string& folder,
                                                       const Manifest& from);

/// Remove all but the newest `keep` checkpoints, and superseded ones that as many are newer than,
/// or one that has been written again. @pre keep > 0
/// @errors the first, after all that can be removed has been
Result<void> retire_checkpoints(FileSystem& files, const std::string& folder, int keep);

}  // namespace thalweg::io
