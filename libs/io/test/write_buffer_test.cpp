// SPDX-License-Identifier: MIT
#include <thalweg/io/write_buffer.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/io/file_system.hpp>
#include <thalweg/io/testing/passing_files.hpp>

namespace thalweg::io {
namespace {

/// Notes of each time that a file is opened for writing its path, and the offsets.
class NotingFiles : public testing::PassingFiles {
 public:
  using PassingFiles::PassingFiles;
  Result<void> write_pieces(const std::string& path,
                            std::span<const Piece<const std::byte>> pieces) override {
    std::string note = path;
    for (const auto& piece : pieces) note += " " + std::to_string(piece.offset);
    notes.push_back(note);
    return PassingFiles::write_pieces(path, pieces);
  }
  std::vector<std::string> notes;
};

Result<void> put(WriteBuffer& buffer, const std::string& path, std::uint64_t offset,
                 std::string_view text) {
  const auto room = buffer.room(path, offset, text.size());
  if (!room) return std::unexpected(room.error());
  std::ranges::copy(std::as_bytes(std::span(text)), room->begin());
  return {};
}

TEST(WriteBuffer, opens_a_file_once_for_what_fits_and_joins_neighbours) {
  MemoryFileSystem memory;
  NotingFiles files(memory);
  WriteBuffer buffer(files, 8);

  EXPECT_TRUE(put(buffer, "a", 0, "ab"));
  EXPECT_TRUE(put(buffer, "a", 2, "cd"));
  EXPECT_TRUE(put(buffer, "a", 6, "gh"));
  EXPECT_TRUE(put(buffer, "a", 4, "ef"));
  EXPECT_EQ(files.notes, std::vector<std::string>());
  EXPECT_TRUE(put(buffer, "a", 8, "i"));
  EXPECT_TRUE(put(buffer, "b", 0, "another file"));
  EXPECT_TRUE(put(buffer, "b", 12, "."));
  EXPECT_TRUE(buffer.flush());
  EXPECT_TRUE(buffer.flush());

  EXPECT_EQ(files.notes, (std::vector<std::string>{"a 0 6 4", "a 8", "b 0", "b 12"}));
  EXPECT_EQ(read_text(files, "a").value(), "abcdefghi");
  EXPECT_EQ(read_text(files, "b").value(), "another file.");
}

TEST(WriteBuffer, failure_is_told_once_and_gives_up_what_was_held) {
  MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("a"));
  WriteBuffer buffer(files);

  EXPECT_TRUE(put(buffer, "a", 0, "no file"));
  EXPECT_FALSE(put(buffer, "b", 0, "lost"));
  EXPECT_TRUE(put(buffer, "b", 0, "kept"));
  EXPECT_TRUE(buffer.flush());

  EXPECT_EQ(read_text(files, "b").value(), "kept");
}

}  // namespace
}  // namespace thalweg::io
