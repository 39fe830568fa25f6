// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <thalweg/io/folder_lock.hpp>
#include <utility>

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
  char host[65] = {};
  ::gethostname(host, sizeof host - 1);
  const auto text = fmt::format("process {} on {}", ::getpid(), host);
  if (::ftruncate(descriptor, 0) == 0)
    static_cast<void>(::pwrite(descriptor, text.data(), text.size(), 0) == 0);
}

}  // namespace

Result<FolderLock> FolderLock::take(const std::string& folder) {
  const std::string path = folder + "/" + file_name;
  while (true) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
      return std::unexpected(Failure{
          fmt::format("cannot write '{}': {}", path, std::generic_category().message(errno))});
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
    return FolderLock(descriptor, path);
  }
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

FolderLock::~FolderLock() {
  if (descriptor_ < 0) return;
  ::unlink(path_.c_str());  // before anybody else can have it
  ::close(descriptor_);
}

}  // namespace thalweg::io
