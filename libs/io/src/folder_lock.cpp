// SPDX-License-Identifier: MIT
#include <thalweg/io/folder_lock.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/host_name.hpp>
#include <thalweg/io/file_system.hpp>

namespace thalweg::io {

namespace {

/// Whether the path still names the file that was opened: whoever had it before may have removed
/// it.
bool names(const std::string& path, int descriptor) {
  struct stat opened, named;
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

std::string owner_in(int descriptor) {
  char text[128];
  const ssize_t n = ::pread(descriptor, text, sizeof text, 0);
  return n > 0 ? std::string(text, static_cast<std::size_t>(n)) : "another process";
}

/// For messages only: a lock counts without it.
void write_owner(int descriptor) {
  const auto text = fmt::format("process {} on {}", ::getpid(), host_name());
  if (::ftruncate(descriptor, 0) == 0)
    static_cast<void>(::pwrite(descriptor, text.data(), text.size(), 0) == 0);
}

/// Folders of a path that are missing, the innermost first.
std::vector<std::string> missing_of(const std::filesystem::path& folder) {
  std::vector<std::string> missing;
  std::error_code none;
  for (auto path = folder; !path.empty() && !std::filesystem::exists(path, none);
       path = path.parent_path())
    if (path.has_filename()) missing.push_back(path.string());  // not the empty one of a last slash
  return missing;
}

void remove_empty(const std::vector<std::string>& folders) {
  for (const auto& folder : folders)
    if (::rmdir(folder.c_str()) != 0) return;  // somebody uses it
}

}  // namespace

Result<FolderLock> FolderLock::take(const std::string& folder) {
  const std::string path = folder + "/" + file_name;
  while (true) {
    const auto missing = missing_of(folder);
    if (auto made = PosixFileSystem().make_directory(folder); !made) {
      remove_empty(missing);
      return std::unexpected(std::move(made.error()));
    }
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) {
      const int why = errno;
      if (!missing_of(folder).empty()) continue;  // whoever had made it has taken it away
      remove_empty(missing);
      return std::unexpected(Failure{
          fmt::format("cannot write '{}': {}", path, std::generic_category().message(why))});
    }
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      const auto owner = owner_in(descriptor);
      ::close(descriptor);
      return std::unexpected(Failure{owner + " is writing there"});
    }
    if (!names(path, descriptor)) {
      ::close(descriptor);
      continue;
    }
    write_owner(descriptor);
    return FolderLock(descriptor, path, missing);
  }
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      made_(std::move(other.made_)) {}

FolderLock::~FolderLock() {
  if (descriptor_ < 0) return;
  ::unlink(path_.c_str());  // before anybody else can have it
  ::close(descriptor_);
  remove_empty(made_);
}

}  // namespace thalweg::io
