// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <thalweg/io/file_system.hpp>

namespace thalweg::io::testing {

/// Files of another file system, for what differs from it in a few operations. Pieces go through
/// read() and write(), one after another.
class PassingFiles : public FileSystem {
 public:
  /// @param files  outlives this
  explicit PassingFiles(FileSystem& files) : files_(files) {}

  Result<void> make_directory(const std::string& path) override {
    return files_.make_directory(path);
  }
  Result<bool> make_file(const std::string& path) override { return files_.make_file(path); }
  Result<void> write(const std::string& path, std::uint64_t offset,
                     std::span<const std::byte> bytes) override {
    return files_.write(path, offset, bytes);
  }
  Result<void> read(const std::string& path, std::uint64_t offset,
                    std::span<std::byte> bytes) const override {
    return files_.read(path, offset, bytes);
  }
  Result<std::optional<FileStatus>> status(const std::string& path) const override {
    return files_.status(path);
  }
  Result<std::vector<std::string>> list(const std::string& path) const override {
    return files_.list(path);
  }
  Result<void> rename(const std::string& from, const std::string& to) override {
    return files_.rename(from, to);
  }
  Result<void> remove(const std::string& path) override { return files_.remove(path); }
  Result<void> sync(const std::string& path) override { return files_.sync(path); }

 protected:
  FileSystem& files_;
};

}  // namespace thalweg::io::testing
