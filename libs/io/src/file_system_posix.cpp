// SPDX-License-Identifier: MIT
#include <thalweg/io/file_system.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>

namespace thalweg::io {

namespace {

std::unexpected<Failure> failed(std::string_view operation, const std::string& path, int code) {
  return std::unexpected(Failure{
      fmt::format("cannot {} '{}': {}", operation, path, std::generic_category().message(code))});
}

/// That a folder cannot be made; where a link that leads nowhere has its name, that.
std::unexpected<Failure> not_made(const std::string& path, int code) {
  std::error_code none;
  const auto target = std::filesystem::read_symlink(path, none);
  if (none || std::filesystem::exists(path, none)) return failed("make directory", path, code);
  return std::unexpected(
      Failure{fmt::format("cannot make directory '{}': it is a link to '{}', which is not there",
                          path, target.string())});
}

std::unexpected<Failure> no_file(const std::string& path) {
  return std::unexpected(Failure{fmt::format("'{}' is a pipe or a device, and no file", path)});
}

bool names_no_file(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

/// An open file; closing is checked by the one who wrote.
class File {
 public:
  /// Does not open a pipe, which would wait for its other end, or a device.
  File(const std::string& path, int flags)
      : is_no_file_((flags & O_EXCL) == 0 && names_no_file(path)),
        descriptor_(is_no_file_ ? -1 : ::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  bool is_open() const { return descriptor_ >= 0; }
  int operator()() const { return descriptor_; }
  /// Say, right after it was to be opened, why it is not open.
  Result<void> check(std::string_view operation, const std::string& path) const {
    if (is_no_file_) return no_file(path);
    if (!is_open()) return failed(operation, path, errno);
    return {};
  }
  /// Close and tell whether it went well: some file systems report a full disk only here.
  bool close() {
    const int result = ::close(descriptor_);
    descriptor_ = -1;
    return result == 0;
  }

 private:
  bool is_no_file_;
  int descriptor_;
};

}  // namespace

Result<void> PosixFileSystem::make_directory(const std::string& path) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (::mkdir(part.c_str(), 0777) != 0 && errno != EEXIST)
      return failed("make directory", part, errno);
    struct stat info;
    if (::stat(part.c_str(), &info) != 0) return not_made(part, errno);
    if (slash != std::string::npos) continue;
    if (!S_ISDIR(info.st_mode)) return failed("make directory", path, ENOTDIR);
    return {};
  }
}

Result<bool> PosixFileSystem::make_file(const std::string& path) {
  File file(path, O_WRONLY | O_CREAT | O_EXCL);
  if (!file.is_open() && errno == EEXIST) return false;
  if (!file.is_open() || !file.close()) return failed("write", path, errno);
  return true;
}

Result<void> PosixFileSystem::write(const std::string& path, std::uint64_t offset,
                                    std::span<const std::byte> bytes) {
  return write_pieces(path, std::array{Piece<const std::byte>{offset, bytes}});
}

Result<void> PosixFileSystem::write_pieces(const std::string& path,
                                           std::span<const Piece<const std::byte>> pieces) {
  File file(path, O_WRONLY | O_CREAT);
  if (const auto done = file.check("write", path); !done) return done;
  for (auto [offset, bytes] : pieces)
    while (!bytes.empty()) {
      const ssize_t n = ::pwrite(file(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return failed("write", path, errno);
      bytes = bytes.subspan(static_cast<std::size_t>(n));
      offset += static_cast<std::uint64_t>(n);
    }
  if (!file.close()) return failed("write", path, errno);
  return {};
}

Result<void> PosixFileSystem::append(const std::string& path, std::span<const std::byte> bytes) {
  File file(path, O_WRONLY | O_CREAT | O_APPEND);
  if (const auto done = file.check("write", path); !done) return done;
  while (!bytes.empty()) {
    const ssize_t n = ::write(file(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failed("write", path, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  if (!file.close()) return failed("write", path, errno);
  return {};
}

Result<void> PosixFileSystem::read(const std::string& path, std::uint64_t offset,
                                   std::span<std::byte> bytes) const {
  return read_pieces(path, std::array{Piece<std::byte>{offset, bytes}});
}

Result<void> PosixFileSystem::read_pieces(const std::string& path,
                                          std::span<const Piece<std::byte>> pieces) const {
  const File file(path, O_RDONLY);
  if (const auto done = file.check("read", path); !done) return done;
  for (auto [offset, bytes] : pieces)
    while (!bytes.empty()) {
      const ssize_t n = ::pread(file(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return failed("read", path, errno);
      if (n == 0)
        return std::unexpected(Failure{fmt::format(
            "cannot read '{}': it ends at byte {}, {} missing", path, offset, bytes.size())});
      bytes = bytes.subspan(static_cast<std::size_t>(n));
      offset += static_cast<std::uint64_t>(n);
    }
  return {};
}

Result<std::optional<FileStatus>> PosixFileSystem::status(const std::string& path) const {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    return failed("look at", path, errno);
  }
  if (S_ISDIR(info.st_mode)) return FileStatus{FileStatus::Kind::directory, 0};
  if (!S_ISREG(info.st_mode)) return no_file(path);  // has no size, and is not to be replaced
  return FileStatus{FileStatus::Kind::file, static_cast<std::uint64_t>(info.st_size)};
}

Result<std::vector<std::string>> PosixFileSystem::list(const std::string& path) const {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(path.c_str()), ::closedir);
  if (!directory) return failed("list", path, errno);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
    errno = 0;
  }
  if (errno != 0) return failed("list", path, errno);
  std::ranges::sort(names);
  return names;
}

Result<void> PosixFileSystem::rename(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0)
    return failed("rename", from + "' to '" + to, errno);
  return {};
}

Result<void> PosixFileSystem::remove(const std::string& path) {
  struct stat info;
  if (::lstat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return {};
    return failed("remove", path, errno);
  }
  if (!S_ISDIR(info.st_mode)) {
    if (::unlink(path.c_str()) != 0) return failed("remove", path, errno);
    return {};
  }
  const auto names = list(path);
  if (!names) return std::unexpected(names.error());
  for (const std::string& name : *names)
    if (const auto done = remove(path + "/" + name); !done) return done;
  if (::rmdir(path.c_str()) != 0) return failed("remove", path, errno);
  return {};
}

Result<void> PosixFileSystem::sync(const std::string& path) {
  const File file(path, O_RDONLY);
  if (const auto done = file.check("sync", path); !done) return done;
  // Some file systems cannot sync a directory and say EINVAL: their names are durable already.
  if (::fsync(file()) != 0 && errno != EINVAL) return failed("sync", path, errno);
  return {};
}

}  // namespace thalweg::io
