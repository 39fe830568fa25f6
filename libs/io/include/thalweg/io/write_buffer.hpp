// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/io/file_system.hpp>

namespace thalweg::io {

/// Gathers pieces of files, and opens a file once for many of them: on network file systems each
/// time that a file is closed it waits for the server.
///
/// What is held when it ends, without flush(), is not written.
/// @threads one at a time
class WriteBuffer {
 public:
  /// @param files     outlives this
  /// @param capacity  bytes that are held at most, but for a larger piece alone
  explicit WriteBuffer(FileSystem& files, std::size_t capacity = std::size_t{4} << 20)
      : files_(files), capacity_(capacity) {}

  /// Get room for bytes that go to an offset of a file, to be filled before the next call.
  /// @errors of what was held and had to be written first; it is given up then
  Result<std::span<std::byte>> room(const std::string& path, std::uint64_t offset,
                                    std::size_t n_bytes);
  /// Write what is held.
  Result<void> flush();

 private:
  struct Held {
    std::uint64_t offset = 0;
    std::size_t n_bytes = 0;
  };

  FileSystem& files_;
  std::size_t capacity_;
  std::string path_;
  std::vector<Held> pieces_;
  std::vector<std::byte> bytes_;  // of all pieces, one after another
};

}  // namespace thalweg::io
