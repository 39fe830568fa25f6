// SPDX-License-Identifier: MIT
#include <thalweg/io/file_system.hpp>

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

namespace thalweg::io {

namespace {

std::unexpected<Failure> failed(std::string_view operation, const std::string& path,
                                std::string_view why) {
  return std::unexpected(Failure{fmt::format("cannot {} '{}': {}", operation, path, why)});
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

/// Where the entries below a directory begin and end in a sorted container keyed by path.
template <class Container>
auto below(Container& entries, const std::string& directory) {
  const std::string first = directory + '/';
  const std::string last = directory + static_cast<char>('/' + 1);
  return std::pair(entries.lower_bound(first), entries.lower_bound(last));
}

}  // namespace

bool MemoryFileSystem::is_directory(const std::string& path) const {
  return path.empty() || path == "." || directories_.contains(path);
}

std::vector<std::string> MemoryFileSystem::names_in(const std::string& directory) const {
  const std::string prefix = directory.empty() || directory == "." ? "" : directory + '/';
  std::vector<std::string> names;
  const auto add = [&](const std::string& entry) {
    if (entry.starts_with(prefix) && entry.find('/', prefix.size()) == std::string::npos)
      names.push_back(entry.substr(prefix.size()));
  };
  for (const auto& [file, bytes] : files_) add(file);
  for (const std::string& other : directories_) add(other);
  std::ranges::sort(names);
  return names;
}

Result<void> MemoryFileSystem::make_directory(const std::string& path) {
  const std::lock_guard lock(mutex_);
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (files_.contains(part)) return failed("make directory", part, "Not a directory");
    directories_.insert(part);
    if (slash == std::string::npos) return {};
  }
}

Result<bool> MemoryFileSystem::make_file(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (is_directory(path) || files_.contains(path)) return false;
  if (!is_directory(parent_of(path))) return failed("write", path, "No such file or directory");
  files_[path];
  return true;
}

Result<void> MemoryFileSystem::write(const std::string& path, std::uint64_t offset,
                                     std::span<const std::byte> bytes) {
  const std::lock_guard lock(mutex_);
  if (is_directory(path)) return failed("write", path, "Is a directory");
  if (!is_directory(parent_of(path))) return failed("write", path, "No such file or directory");
  std::vector<std::byte>& file = files_[path];
  if (bytes.empty()) return {};
  file.resize(std::max<std::size_t>(file.size(), offset + bytes.size()));
  std::ranges::copy(bytes, file.begin() + static_cast<std::ptrdiff_t>(offset));
  return {};
}

Result<void> MemoryFileSystem::append(const std::string& path, std::span<const std::byte> bytes) {
  const std::lock_guard lock(mutex_);
  if (is_directory(path)) return failed("write", path, "Is a directory");
  if (!is_directory(parent_of(path))) return failed("write", path, "No such file or directory");
  std::vector<std::byte>& file = files_[path];
  file.insert(file.end(), bytes.begin(), bytes.end());
  return {};
}

Result<void> MemoryFileSystem::read(const std::string& path, std::uint64_t offset,
                                    std::span<std::byte> bytes) const {
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(path);
  if (found == files_.end()) return failed("read", path, "No such file or directory");
  const std::vector<std::byte>& file = found->second;
  if (offset > file.size() || bytes.size() > file.size() - offset)
    return failed(
        "read", path,
        fmt::format("it ends at byte {}, {} wanted from {}", file.size(), bytes.size(), offset));
  std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(offset), bytes.size(), bytes.begin());
  return {};
}

Result<std::optional<FileStatus>> MemoryFileSystem::status(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  if (is_directory(path)) return FileStatus{FileStatus::Kind::directory, 0};
  const auto found = files_.find(path);
  if (found == files_.end()) return std::nullopt;
  return FileStatus{FileStatus::Kind::file, found->second.size()};
}

Result<std::vector<std::string>> MemoryFileSystem::list(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  if (!is_directory(path)) return failed("list", path, "No such file or directory");
  return names_in(path);
}

Result<void> MemoryFileSystem::rename(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  if (!is_directory(parent_of(to)))
    return failed("rename", from + "' to '" + to, "No such file or directory");
  if (auto file = files_.extract(from)) {
    if (is_directory(to)) {
      files_.insert(std::move(file));
      return failed("rename", from + "' to '" + to, "Is a directory");
    }
    files_.insert_or_assign(to, std::move(file.mapped()));
    return {};
  }
  if (!directories_.contains(from))
    return failed("rename", from + "' to '" + to, "No such file or directory");
  if (files_.contains(to)) return failed("rename", from + "' to '" + to, "Not a directory");
  if (is_directory(to) && !names_in(to).empty())
    return failed("rename", from + "' to '" + to, "Directory not empty");

  std::vector<std::string> moved;
  const auto [first_file, last_file] = below(files_, from);
  for (auto i = first_file; i != last_file; ++i) moved.push_back(i->first);
  for (const std::string& path : moved)
    files_[to + path.substr(from.size())] = std::move(files_.extract(path).mapped());
  const auto [first_directory, last_directory] = below(directories_, from);
  std::vector<std::string> directories(first_directory, last_directory);
  directories.push_back(from);
  for (const std::string& path : directories) {
    directories_.erase(path);
    directories_.insert(to + path.substr(from.size()));
  }
  return {};
}

Result<void> MemoryFileSystem::remove(const std::string& path) {
  const std::lock_guard lock(mutex_);
  files_.erase(path);
  const auto [first_file, last_file] = below(files_, path);
  files_.erase(first_file, last_file);
  const auto [first_directory, last_directory] = below(directories_, path);
  directories_.erase(first_directory, last_directory);
  directories_.erase(path);
  return {};
}

Result<void> MemoryFileSystem::sync(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (!is_directory(path) && !files_.contains(path))
    return failed("sync", path, "No such file or directory");
  return {};
}

}  // namespace thalweg::io
