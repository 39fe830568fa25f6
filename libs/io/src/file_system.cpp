// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <thalweg/io/file_system.hpp>

namespace thalweg::io {

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

Result<void> write_text(FileSystem& files, const std::string& path, std::string_view text) {
  const std::string temporary = path + ".tmp";
  auto done = files.remove(temporary);
  if (done) done = files.write(temporary, 0, std::as_bytes(std::span(text)));
  if (done) done = files.sync(temporary);
  if (done) done = files.rename(temporary, path);
  // A part is of no use, and the disk may be full. If this fails as well, so be it.
  if (!done) static_cast<void>(files.remove(temporary));
  return done;
}

}  // namespace thalweg::io
