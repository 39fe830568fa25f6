// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <utility>
#include <vector>

#include <thalweg/core/error.hpp>

namespace thalweg::io {

/// Keeps other programs out of a folder on this machine's disk, as long as it lives. Makes the
/// folder where there is none, and takes away again what it has made if that is empty in the end.
///
/// The system forgets the lock with the process, however that ends. The file in the folder that
/// carries it says who has it; one that a kill leaves behind is locked by nobody. On file systems
/// that know no locks nobody is kept out: see keeps_out().
class FolderLock {
 public:
  static constexpr const char* file_name = ".thalweg-lock";

  /// The names of folders that it makes survive a loss of power.
  /// Waits a fifth of a second for who only looks at the lock.
  /// @errors says who has the folder, or why it or the file cannot be made, as where a link is in
  /// its place
  static Result<FolderLock> take(const std::string& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

  /// Whether anybody is kept out: not where the file system has no locks.
  bool keeps_out() const { return keeps_out_; }

 private:
  FolderLock(int descriptor, bool keeps_out, std::string path, std::vector<std::string> made)
      : descriptor_(descriptor),
        keeps_out_(keeps_out),
        path_(std::move(path)),
        made_(std::move(made)) {}

  int descriptor_;
  bool keeps_out_;
  std::string path_;
  std::vector<std::string> made_;  // folders, the innermost first
};

}  // namespace thalweg::io
