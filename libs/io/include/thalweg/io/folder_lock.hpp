// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <thalweg/core/error.hpp>

namespace thalweg::io {

/// Keeps other programs out of a folder on this machine's disk, as long as it lives.
///
/// The system forgets the lock with the process, however that ends. The file in the folder that
/// carries it says who has it; one that a kill leaves behind is locked by nobody. On file systems
/// that know no locks nobody is kept out.
class FolderLock {
 public:
  static constexpr const char* file_name = ".thalweg-lock";

  /// @errors says who has the folder, or why the file cannot be made
  static Result<FolderLock> take(const std::string& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  FolderLock(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}

  int descriptor_;
  std::string path_;
};

}  // namespace thalweg::io
