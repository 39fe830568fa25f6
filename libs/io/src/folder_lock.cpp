// SPDX-License-Identifier: MIT
#include <thalweg/io/folder_lock.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
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
  return ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/// Lock an open file, or leave the reason why not in errno. Who only looks whether it is locked, as
/// `thalweg watch`, has it for a moment: the answer is no where it stays so for 200 ms.
bool has_locked(int descriptor) {
  for (int n_refused = 0; ::flock(descriptor, LOCK_EX | LOCK_NB) != 0; ++n_refused) {
    if (errno != EWOULDBLOCK || n_refused == 20) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

std::string owner_in(int descriptor) {
  char text[128];
  const ssize_t n = ::pread(descriptor, text, sizeof text, 0);
  return n > 0 ? std::string(text, static_cast<std::size_t>(n)) : "another process";
}

/// What to do where the system of another host would have to drop the lock of a dead process.
std::string advice(const std::string& owner, const std::string& path) {
  if (owner.ends_with(" on " + host_name())) return "";
  return fmt::format(
      "; after a node has died the file system may keep its lock for minutes: wait, or if that "
      "process is certainly dead remove '{}'",
      path);
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

/// Make the names of folders survive a loss of power.
Result<void> sync_names(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    const std::string above = std::filesystem::path(folder).parent_path();
    const std::string parent = above.empty() ? "." : above;
    if (::access(parent.c_str(), R_OK) != 0) continue;  // who may not open it cannot sync it
    if (const auto done = PosixFileSystem().sync(parent); !done) return done;
  }
  return {};
}

void remove_empty(const std::vector<std::string>& folders) {
  for (const auto& folder : folders)
    if (::rmdir(folder.c_str()) != 0) return;  // somebody uses it
}

}  // namespace

Result<FolderLock> FolderLock::take(const std::string& folder) {
  const std::string path = folder + "/" + file_name;
  constexpr int most_tries = 100;  // others do not begin and end that often in between
  for (int n_tries = 0; n_tries < most_tries; ++n_tries) {
    const auto missing = missing_of(folder);
    if (auto made = PosixFileSystem().make_directory(folder); !made) {
      remove_empty(missing);
      return std::unexpected(std::move(made.error()));
    }
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0) {
      const int why = errno;
      if (!missing_of(folder).empty()) continue;  // whoever had made it has taken it away
      remove_empty(missing);
      if (why == ELOOP)
        return std::unexpected(
            Failure{fmt::format("'{}' is a symbolic link, and the file that it leads to would be "
                                "overwritten: remove the link",
                                path)});
      return std::unexpected(Failure{
          fmt::format("cannot write '{}': {}", path, std::generic_category().message(why))});
    }
    const bool is_locked = has_locked(descriptor);
    if (!is_locked && errno == EWOULDBLOCK) {
      const auto owner = owner_in(descriptor);
      ::close(descriptor);
      return std::unexpected(Failure{owner + " is writing there" + advice(owner, path)});
    }
    if (!names(path, descriptor)) {
      ::close(descriptor);
      continue;
    }
    write_owner(descriptor);
    FolderLock lock(descriptor, is_locked, path, missing);
    if (const auto done = sync_names(missing); !done) return std::unexpected(done.error());
    return lock;
  }
  return std::unexpected(Failure{
      fmt::format("'{}' is another file each time that it is opened, so that a lock on it keeps "
                  "nobody out: the file system may give files new numbers",
                  path)});
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      keeps_out_(other.keeps_out_),
      path_(std::move(other.path_)),
      made_(std::move(other.made_)) {}

FolderLock::~FolderLock() {
  if (descriptor_ < 0) return;
  ::unlink(path_.c_str());  // before anybody else can have it
  ::close(descriptor_);
  remove_empty(made_);
}

}  // namespace thalweg::io
