// SPDX-License-Identifier: MIT
#include <thalweg/io/file_system.hpp>

#include <cstdint>

#include <fmt/format.h>

#include "step_number.hpp"

namespace thalweg::io {

Result<void> FileSystem::append(const std::string& path, std::span<const std::byte> bytes) {
  const auto there = status(path);
  if (!there) return std::unexpected(there.error());
  return write(path, *there ? (*there)->size_bytes : 0, bytes);
}

Result<void> FileSystem::write_pieces(const std::string& path,
                                      std::span<const Piece<const std::byte>> pieces) {
  for (const auto& [offset, bytes] : pieces)
    if (const auto done = write(path, offset, bytes); !done) return done;
  return {};
}

Result<void> FileSystem::read_pieces(const std::string& path,
                                     std::span<const Piece<std::byte>> pieces) const {
  for (const auto& [offset, bytes] : pieces)
    if (const auto done = read(path, offset, bytes); !done) return done;
  return {};
}

Result<std::string> read_text(const FileSystem& files, const std::string& path) {
  const auto status = files.status(path);
  if (!status) return std::unexpected(status.error());
  if (!*status || (*status)->kind != FileStatus::Kind::file)
    return std::unexpected(Failure{
        fmt::format("cannot read '{}': {}", path, *status ? "it is no file" : "no such file")});
  std::string text((*status)->size_bytes, '\0');
  if (const auto done = files.read(path, 0, std::as_writable_bytes(std::span(text))); !done)
    return std::unexpected(done.error());
  return text;
}

Result<std::string> make_temporary(FileSystem& files, const std::string& path) {
  std::string name = path + std::string(unfinished_suffix);
  for (std::uint64_t n = 1;; ++n) {
    const auto made = files.make_file(name);
    if (!made) return std::unexpected(made.error());
    if (*made) return name;
    name = fmt::format("{}.{}{}", path, n, unfinished_suffix);
  }
}

bool is_temporary_name(std::string_view name, std::string_view of_file) {
  if (!name.starts_with(of_file) || !name.ends_with(unfinished_suffix)) return false;
  name.remove_prefix(of_file.size());
  if (name == unfinished_suffix) return true;
  return name.size() > unfinished_suffix.size() && name.front() == '.' &&
         detail::is_number(name.substr(1, name.size() - 1 - unfinished_suffix.size()));
}

Result<void> write_text(FileSystem& files, const std::string& path, std::string_view text) {
  const auto temporary = make_temporary(files, path);
  if (!temporary) return std::unexpected(temporary.error());
  auto done = files.write(*temporary, 0, std::as_bytes(std::span(text)));
  if (done) done = files.sync(*temporary);
  if (done) done = files.rename(*temporary, path);
  // A part is of no use, and the disk may be full. If this fails as well, so be it.
  if (!done) static_cast<void>(files.remove(*temporary));
  return done;
}

}  // namespace thalweg::io
