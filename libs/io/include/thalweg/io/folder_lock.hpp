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
/// that know no locks nobody is kept out.
class FolderLock {
 public:
  static constexpr const char* file_name = ".thalweg-lock";

  /// @errors says who has the folder, or why it or the file cannot be made
  static Result<FolderLock> take(const std::string& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  FolderLock(int descriptor, std::string path, std::vector<std::string> made)
      : descriptor_(descriptor), path_(std::move(path)), made_(std::move(made)) {}

  int descriptor_;
  std::string path_;
  std::vector<std::string> made_;  // folders, the innermost first
};

}  // namespace thalweg::io
