// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <thalweg/io/file_system.hpp>

namespace thalweg::io {

Result<std::string> read_text(const FileSystem& files, const std::string& path) {
  const auto status = files.status(path);
  if (!status) return std::unexpected(status.error());
  if (!*status || (*status)->kind != FileStatus::Kind::file)
    return std::unexpected(Failure{fmt::format("cannot read '{}': no such file", path)});
  std::string text((*status)->size_bytes, '\0');
  if (const auto done = files.read(path, 0, std::as_writable_bytes(std::span(text))); !done)
    return std::unexpected(done.error());
  return text;
}

Result<void> write_text(FileSystem& files, const std::string& path, std::string_view text) {
  const std::string temporary = path + ".tmp";
  if (const auto done = files.remove(temporary); !done) return done;
  if (const auto done = files.write(temporary, 0, std::as_bytes(std::span(text))); !done)
    return done;
  if (const auto done = files.sync(temporary); !done) return done;
  return files.rename(temporary, path);
}

}  // namespace thalweg::io
