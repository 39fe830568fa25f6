// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include <thalweg/io/testing/passing_files.hpp>

namespace thalweg::io::testing {

/// Files of another file system, where operations that change something fail when told to.
class FailingFiles final : public PassingFiles {
 public:
  /// What goes wrong from operation number `first` on, counted from 0; for so many operations.
  struct Fault {
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t n_operations = 1;
  };

  explicit FailingFiles(FileSystem& files) : PassingFiles(files) {}
  /// There is no room for what has this in its path.
  FailingFiles(FileSystem& files, std::string full) : PassingFiles(files), full_(std::move(full)) {}

  /// Count anew, and fail then.
  void plan(const Fault& fault) {
    fault_ = fault;
    n_operations_ = 0;
  }
  /// From now on nothing can be removed that has this in its path; "": all can be again.
  void keep(std::string kept) { kept_ = std::move(kept); }
  /// Operations since the plan was made.
  std::uint64_t n_operations() const { return n_operations_; }
  /// Calls of read().
  std::uint64_t n_reads() const { return n_reads_; }

  Result<void> make_directory(const std::string& path) override {
    if (fails()) return full(path);
    return files_.make_directory(path);
  }
  Result<bool> make_file(const std::string& path) override {
    if (fails()) return full(path);
    return files_.make_file(path);
  }
  Result<void> write(const std::string& path, std::uint64_t offset,
                     std::span<const std::byte> bytes) override {
    if (fails() ||
        (!full_.empty() &&
         path.find(full_) != std::string::npos)) {  // as on a full disk: there was room for a part
      static_cast<void>(files_.write(path, offset, bytes.first(bytes.size() / 2)));
      return full(path);
    }
    return files_.write(path, offset, bytes);
  }
  Result<void> read(const std::string& path, std::uint64_t offset,
                    std::span<std::byte> bytes) const override {
    ++n_reads_;
    return files_.read(path, offset, bytes);
  }
  Result<void> rename(const std::string& from, const std::string& to) override {
    if (fails()) return full(from);
    return files_.rename(from, to);
  }
  Result<void> remove(const std::string& path) override {
    if (!kept_.empty() && path.find(kept_) != std::string::npos)
      return std::unexpected(Failure{"cannot remove '" + path + "': Directory not empty"});
    if (fails()) return full(path);
    return files_.remove(path);
  }
  Result<void> sync(const std::string& path) override {
    if (fails()) return full(path);
    return files_.sync(path);
  }

 private:
  bool fails() {
    const std::uint64_t n = n_operations_++;
    return n >= fault_.first && n - fault_.first < fault_.n_operations;
  }
  static std::unexpected<Failure> full(const std::string& path) {
    return std::unexpected(Failure{"cannot change '" + path + "': No space left on device"});
  }

  std::string full_;
  std::string kept_;
  Fault fault_;
  std::uint64_t n_operations_ = 0;
  mutable std::uint64_t n_reads_ = 0;
};

}  // namespace thalweg::io::testing
