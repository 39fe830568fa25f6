// SPDX-License-Identifier: MIT
#include <thalweg/io/write_buffer.hpp>

namespace thalweg::io {

Result<std::span<std::byte>> WriteBuffer::room(const std::string& path, std::uint64_t offset,
                                               std::size_t n_bytes) {
  if (path != path_ || bytes_.size() + n_bytes > capacity_)
    if (const auto done = flush(); !done) return std::unexpected(done.error());
  path_ = path;
  if (!pieces_.empty() && pieces_.back().offset + pieces_.back().n_bytes == offset)
    pieces_.back().n_bytes += n_bytes;
  else
    pieces_.push_back({offset, n_bytes});
  bytes_.resize(bytes_.size() + n_bytes);
  return std::span(bytes_).last(n_bytes);
}

Result<void> WriteBuffer::flush() {
  std::vector<Piece<const std::byte>> pieces;
  std::span<const std::byte> rest(bytes_);
  for (const Held& held : pieces_) {
    pieces.push_back({held.offset, rest.first(held.n_bytes)});
    rest = rest.subspan(held.n_bytes);
  }
  const auto done = pieces.empty() ? Result<void>() : files_.write_pieces(path_, pieces);
  pieces_.clear();
  bytes_.clear();
  return done;
}

}  // namespace thalweg::io
