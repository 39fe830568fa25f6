// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/core/error.hpp>

namespace thalweg::io {

/// What a path names.
struct FileStatus {
  enum class Kind { file, directory };
  Kind kind = Kind::file;
  std::uint64_t size_bytes = 0;  ///< 0 for a directory

  bool operator==(const FileStatus&) const = default;
};

/// Bytes in memory, and where in a file they are or go.
template <class Byte>
struct Piece {
  std::uint64_t offset = 0;
  std::span<Byte> bytes;
};

/// Where files go: the machine's disk, or memory in tests and simulations.
///
/// Paths are separated by '/'. Every write names its offset, so that ranks and tasks share a file
/// without sharing a position. A failure names the operation, the path and the system's reason.
/// Nine operations and no handles: what a crash-safe checkpoint needs, and not one more. Two of
/// them are there for many pieces of a file, too, and one for the end of a file that several write.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  /// Make a directory and its parents; fine if it exists.
  virtual Result<void> make_directory(const std::string& path) = 0;
  /// Make an empty file; of several who do so at one time, one does.
  /// @return whether it did: not where anything has this name, which stays as it is
  virtual Result<bool> make_file(const std::string& path) = 0;
  /// Write bytes at an offset into a file, made if missing and extended with zeros if shorter.
  virtual Result<void> write(const std::string& path, std::uint64_t offset,
                             std::span<const std::byte> bytes) = 0;
  /// Fill a buffer from an offset of a file; a shorter file is a failure, as is what is no file.
  virtual Result<void> read(const std::string& path, std::uint64_t offset,
                            std::span<std::byte> bytes) const = 0;
  /// Write bytes behind the end of a file, made if missing. What several write so at one time stays
  /// whole in memory and on a disk of this machine, one behind the other.
  virtual Result<void> append(const std::string& path, std::span<const std::byte> bytes);
  /// Write pieces one after another, as write() does each; the disk opens the file once for all.
  virtual Result<void> write_pieces(const std::string& path,
                                    std::span<const Piece<const std::byte>> pieces);
  /// Read pieces one after another, as read() does each; the disk opens the file once for all.
  virtual Result<void> read_pieces(const std::string& path,
                                   std::span<const Piece<std::byte>> pieces) const;
  /// Tell what a path names; none if nothing. What is neither file nor directory is a failure.
  virtual Result<std::optional<FileStatus>> status(const std::string& path) const = 0;
  /// List the names in a directory, sorted.
  virtual Result<std::vector<std::string>> list(const std::string& path) const = 0;
  /// Give a file or a directory another name, atomically; a file in the way is replaced.
  virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
  /// Remove a file, or a directory with all it holds; fine if there is none.
  virtual Result<void> remove(const std::string& path) = 0;
  /// Make a file's bytes, or a directory's names, survive a loss of power.
  virtual Result<void> sync(const std::string& path) = 0;
};

/// The disk of this machine.
/// @threads safe, but for two writes to the same bytes
class PosixFileSystem final : public FileSystem {
 public:
  Result<void> make_directory(const std::string& path) override;
  Result<bool> make_file(const std::string& path) override;
  Result<void> write(const std::string& path, std::uint64_t offset,
                     std::span<const std::byte> bytes) override;
  Result<void> append(const std::string& path, std::span<const std::byte> bytes) override;
  Result<void> read(const std::string& path, std::uint64_t offset,
                    std::span<std::byte> bytes) const override;
  Result<void> write_pieces(const std::string& path,
                            std::span<const Piece<const std::byte>> pieces) override;
  Result<void> read_pieces(const std::string& path,
                           std::span<const Piece<std::byte>> pieces) const override;
  Result<std::optional<FileStatus>> status(const std::string& path) const override;
  Result<std::vector<std::string>> list(const std::string& path) const override;
  Result<void> rename(const std::string& from, const std::string& to) override;
  Result<void> remove(const std::string& path) override;
  Result<void> sync(const std::string& path) override;
};

/// Files in memory, with the meaning the disk gives to each operation.
/// @threads safe: operations are done one after another
class MemoryFileSystem final : public FileSystem {
 public:
  Result<void> make_directory(const std::string& path) override;
  Result<bool> make_file(const std::string& path) override;
  Result<void> write(const std::string& path, std::uint64_t offset,
                     std::span<const std::byte> bytes) override;
  Result<void> append(const std::string& path, std::span<const std::byte> bytes) override;
  Result<void> read(const std::string& path, std::uint64_t offset,
                    std::span<std::byte> bytes) const override;
  Result<std::optional<FileStatus>> status(const std::string& path) const override;
  Result<std::vector<std::string>> list(const std::string& path) const override;
  Result<void> rename(const std::string& from, const std::string& to) override;
  Result<void> remove(const std::string& path) override;
  Result<void> sync(const std::string& path) override;

 private:
  bool is_directory(const std::string& path) const;
  std::vector<std::string> names_in(const std::string& directory) const;

  mutable std::mutex mutex_;  ///< held by each operation while it looks at what follows
  std::map<std::string, std::vector<std::byte>> files_;
  std::set<std::string> directories_;
};

/// What the name of a folder of results ends with from when another one takes its place, or it is
/// no longer wanted, until it is removed.
inline constexpr std::string_view retired_suffix = ".trash";
/// What it ends with once its run has gone on from a step before, until it writes another one.
inline constexpr std::string_view superseded_suffix = ".superseded";
/// What the name of a result ends with as long as it is written.
inline constexpr std::string_view unfinished_suffix = ".tmp";

/// Read a whole file as text.
Result<std::string> read_text(const FileSystem& files, const std::string& path);

/// Make an empty file beside another one, to be written and to take its name: PATH.tmp, or where
/// that name is taken PATH.1.tmp, PATH.2.tmp, ...
/// @return its path, which nobody else has been given
Result<std::string> make_temporary(FileSystem& files, const std::string& path);
/// Whether make_temporary() gives such names to what takes the place of a file.
bool is_temporary_name(std::string_view name, std::string_view of_file);

/// Replace a file by a text such that a reader sees the old file or the new one, never a part.
///
/// Writes a temporary file, makes it durable, and renames it. Nothing else is touched, and of
/// several who write at one time the last has its text there.
Result<void> write_text(FileSystem& files, const std::string& path, std::string_view text);

}  // namespace thalweg::io
