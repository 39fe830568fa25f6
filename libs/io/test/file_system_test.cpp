// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <latch>
#include <memory>
#include <string>
#include <string_view>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/testing/passing_files.hpp>
#include <thread>

namespace thalweg::io {
namespace {

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

/// Notes what is done to the files of another file system.
class NotingFileSystem final : public testing::PassingFiles {
 public:
  using PassingFiles::PassingFiles;
  const std::vector<std::string>& notes() const { return notes_; }

  Result<void> write(const std::string& path, std::uint64_t offset,
                     std::span<const std::byte> data) override {
    notes_.push_back("write " + path);
    return files_.write(path, offset, data);
  }
  Result<void> rename(const std::string& from, const std::string& to) override {
    notes_.push_back("rename " + from + " " + to);
    return files_.rename(from, to);
  }
  Result<void> sync(const std::string& path) override {
    notes_.push_back("sync " + path);
    return files_.sync(path);
  }

 private:
  std::vector<std::string> notes_;
};

TEST(WriteText, is_durable_under_another_name_before_it_takes_the_old_place) {
  MemoryFileSystem memory;
  NotingFileSystem files(memory);

  ASSERT_TRUE(write_text(files, "Header", "text"));

  EXPECT_EQ(files.notes(), (std::vector<std::string>{"write Header.tmp", "sync Header.tmp",
                                                     "rename Header.tmp Header"}));
}

/// Both file systems must mean the same by every operation.
class BothFileSystems : public ::testing::TestWithParam<const char*> {
 protected:
  BothFileSystems() {
    if (std::string_view(GetParam()) == "memory") {
      files_ = std::make_unique<MemoryFileSystem>();
    } else {
      files_ = std::make_unique<PosixFileSystem>();
    }
    EXPECT_TRUE(files_->make_directory(root_));
  }
  ~BothFileSystems() override { std::filesystem::remove_all(root_); }

  std::string root_ =
      ::testing::TempDir() + "thalweg_file_system_test_" + std::to_string(::getpid());
  std::unique_ptr<FileSystem> files_;
};

INSTANTIATE_TEST_SUITE_P(FileSystem, BothFileSystems, ::testing::Values("memory", "posix"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST_P(BothFileSystems, writes_at_offsets_fill_one_file) {
  const std::string path = root_ + "/data";

  ASSERT_TRUE(files_->write(path, 4, bytes("efgh")));
  ASSERT_TRUE(files_->write(path, 0, bytes("abcd")));

  EXPECT_EQ(read_text(*files_, path).value(), "abcdefgh");
}

TEST_P(BothFileSystems, several_threads_write_at_one_time) {
  constexpr std::size_t n_threads = 4, n_pieces = 64, piece_size = 1 << 16;
  const std::string path = root_ + "/data", letters = "abcd";
  {
    std::latch start(n_threads);
    std::vector<std::jthread> threads;
    for (std::size_t thread = 0; thread < n_threads; ++thread)
      threads.emplace_back([&, thread] {
        const std::string piece(piece_size, letters[thread]);
        start.arrive_and_wait();
        for (std::size_t i = 0; i < n_pieces; ++i)
          EXPECT_TRUE(files_->write(path, (i * n_threads + thread) * piece_size, bytes(piece)));
      });
  }

  std::string expected;
  for (std::size_t i = 0; i < n_pieces; ++i)
    for (const char letter : letters) expected += std::string(piece_size, letter);
  EXPECT_TRUE(read_text(*files_, path).value() == expected);
}

TEST_P(BothFileSystems, what_several_threads_append_at_one_time_stays_whole) {
  constexpr std::size_t n_threads = 4, n_lines = 200;
  const std::string path = root_ + "/log", letters = "abcd";
  ASSERT_TRUE(files_->write(path, 0, bytes("first\n")));
  {
    std::latch start(n_threads);
    std::vector<std::jthread> threads;
    for (std::size_t thread = 0; thread < n_threads; ++thread)
      threads.emplace_back([&, thread] {
        const std::string line = std::string(100, letters[thread]) + "\n";
        start.arrive_and_wait();
        for (std::size_t i = 0; i < n_lines; ++i) EXPECT_TRUE(files_->append(path, bytes(line)));
      });
  }

  std::string text = read_text(*files_, path).value();
  ASSERT_TRUE(text.starts_with("first\n"));
  ASSERT_EQ(text.size(), 6 + n_threads * n_lines * 101);
  for (std::size_t at = 6; at < text.size(); at += 101)
    ASSERT_EQ(text.substr(at, 101), std::string(100, text[at]) + "\n");
  ASSERT_TRUE(files_->append(root_ + "/new", bytes("text")));
  EXPECT_EQ(read_text(*files_, root_ + "/new").value(), "text");
  EXPECT_FALSE(files_->append(root_, bytes("text")));
}

TEST_P(BothFileSystems, pieces_are_written_and_read_as_single_ones_are) {
  const std::string path = root_ + "/data";
  std::string first(2, ' '), second(3, ' ');
  const auto room = [](std::string& text) { return std::as_writable_bytes(std::span(text)); };

  ASSERT_TRUE(files_->write_pieces(
      path, std::array{Piece{5, bytes("efg")}, Piece{0, bytes("abc")}, Piece{2, bytes("d")}}));
  ASSERT_TRUE(files_->read_pieces(path, std::array{Piece{4, room(second)}, Piece{1, room(first)}}));

  EXPECT_EQ(read_text(*files_, path).value(), std::string("abd\0\0efg", 8));
  EXPECT_EQ(first, "bd");
  EXPECT_EQ(second, std::string("\0ef", 3));
  const auto done =
      files_->read_pieces(path, std::array{Piece{0, room(first)}, Piece{7, room(second)}});
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find(path), std::string::npos) << done.error().message;
}

TEST_P(BothFileSystems, gap_before_a_write_is_zero) {
  const std::string path = root_ + "/data";

  ASSERT_TRUE(files_->write(path, 2, bytes("c")));

  EXPECT_EQ(read_text(*files_, path).value(), std::string("\0\0c", 3));
}

TEST_P(BothFileSystems, reading_past_the_end_names_the_file) {
  const std::string path = root_ + "/data";
  ASSERT_TRUE(files_->write(path, 0, bytes("abc")));
  std::vector<std::byte> buffer(4);

  const auto done = files_->read(path, 1, buffer);

  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find(path), std::string::npos) << done.error().message;
}

TEST_P(BothFileSystems, missing_directory_is_a_failure_with_path_and_reason) {
  const std::string path = root_ + "/none/data";

  const auto done = files_->write(path, 0, bytes("abc"));

  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find(path), std::string::npos);
  EXPECT_NE(done.error().message.find("No such file or directory"), std::string::npos);
  EXPECT_FALSE(read_text(*files_, path));
  EXPECT_FALSE(files_->list(root_ + "/none"));
  EXPECT_FALSE(files_->sync(path));
  EXPECT_FALSE(files_->rename(path, root_ + "/other"));
}

TEST_P(BothFileSystems, file_in_the_way_of_a_directory_is_a_failure) {
  ASSERT_TRUE(files_->write(root_ + "/a", 0, bytes("x")));

  EXPECT_FALSE(files_->make_directory(root_ + "/a"));
  EXPECT_FALSE(files_->make_directory(root_ + "/a/b"));
  EXPECT_FALSE(files_->write(root_, 0, bytes("x")));
}

TEST_P(BothFileSystems, list_gives_sorted_names_of_one_directory) {
  ASSERT_TRUE(files_->make_directory(root_ + "/b/deep"));
  ASSERT_TRUE(files_->write(root_ + "/c", 0, bytes("x")));
  ASSERT_TRUE(files_->write(root_ + "/a", 0, bytes("")));
  ASSERT_TRUE(files_->write(root_ + "/b/inside", 0, bytes("x")));

  EXPECT_EQ(files_->list(root_).value(), (std::vector<std::string>{"a", "b", "c"}));
}

TEST_P(BothFileSystems, status_tells_kind_and_size) {
  ASSERT_TRUE(files_->write(root_ + "/a", 0, bytes("abc")));

  EXPECT_EQ(files_->status(root_ + "/a").value(), (FileStatus{FileStatus::Kind::file, 3}));
  EXPECT_EQ(files_->status(root_).value(), (FileStatus{FileStatus::Kind::directory, 0}));
  EXPECT_EQ(files_->status(root_ + "/none").value(), std::nullopt);
}

TEST_P(BothFileSystems, rename_replaces_a_file) {
  ASSERT_TRUE(files_->write(root_ + "/new", 0, bytes("new")));
  ASSERT_TRUE(files_->write(root_ + "/old", 0, bytes("older")));

  ASSERT_TRUE(files_->rename(root_ + "/new", root_ + "/old"));

  EXPECT_EQ(read_text(*files_, root_ + "/old").value(), "new");
  EXPECT_EQ(files_->status(root_ + "/new").value(), std::nullopt);
}

TEST_P(BothFileSystems, rename_moves_a_directory_with_what_it_holds) {
  ASSERT_TRUE(files_->make_directory(root_ + "/a/deep"));
  ASSERT_TRUE(files_->write(root_ + "/a/deep/file", 0, bytes("x")));

  ASSERT_TRUE(files_->rename(root_ + "/a", root_ + "/b"));

  EXPECT_EQ(read_text(*files_, root_ + "/b/deep/file").value(), "x");
  EXPECT_EQ(files_->list(root_).value(), (std::vector<std::string>{"b"}));
}

TEST_P(BothFileSystems, rename_onto_a_full_directory_is_a_failure) {
  ASSERT_TRUE(files_->make_directory(root_ + "/a"));
  ASSERT_TRUE(files_->make_directory(root_ + "/b/full"));

  EXPECT_FALSE(files_->rename(root_ + "/a", root_ + "/b"));
}

TEST_P(BothFileSystems, remove_takes_everything_below_and_forgives_nothing_there) {
  ASSERT_TRUE(files_->make_directory(root_ + "/a/deep"));
  ASSERT_TRUE(files_->write(root_ + "/a/deep/file", 0, bytes("x")));
  ASSERT_TRUE(files_->write(root_ + "/ab", 0, bytes("x")));

  EXPECT_TRUE(files_->remove(root_ + "/a"));
  EXPECT_TRUE(files_->remove(root_ + "/a"));

  EXPECT_EQ(files_->list(root_).value(), (std::vector<std::string>{"ab"}));
}

TEST_P(BothFileSystems, write_text_replaces_and_leaves_no_temporary) {
  ASSERT_TRUE(write_text(*files_, root_ + "/Header", "a long first text"));
  ASSERT_TRUE(write_text(*files_, root_ + "/Header", "short"));

  EXPECT_EQ(read_text(*files_, root_ + "/Header").value(), "short");
  EXPECT_EQ(files_->list(root_).value(), (std::vector<std::string>{"Header"}));
}

TEST_P(BothFileSystems, a_file_is_made_by_one_and_nothing_gives_way_to_it) {
  ASSERT_TRUE(files_->make_directory(root_ + "/folder"));
  EXPECT_EQ(files_->make_file(root_ + "/a"), true);
  ASSERT_TRUE(files_->write(root_ + "/a", 0, bytes("x")));

  EXPECT_EQ(files_->make_file(root_ + "/a"), false);
  EXPECT_EQ(files_->make_file(root_ + "/folder"), false);
  EXPECT_FALSE(files_->make_file(root_ + "/none/a"));
  EXPECT_EQ(read_text(*files_, root_ + "/a").value(), "x");
}

TEST_P(BothFileSystems, write_text_leaves_what_has_the_name_of_its_temporary_file) {
  const std::string path = root_ + "/g.dot";
  ASSERT_TRUE(files_->make_directory(path + ".tmp/thesis"));
  ASSERT_TRUE(files_->write(path + ".1.tmp", 0, bytes("mine")));

  ASSERT_TRUE(write_text(*files_, path, "text"));
  ASSERT_TRUE(files_->make_directory(root_ + "/taken"));
  EXPECT_FALSE(write_text(*files_, root_ + "/taken", "text"));

  EXPECT_EQ(read_text(*files_, path).value(), "text");
  EXPECT_EQ(files_->list(root_).value(),
            (std::vector<std::string>{"g.dot", "g.dot.1.tmp", "g.dot.tmp", "taken"}));
  EXPECT_EQ(files_->list(path + ".tmp").value(), std::vector<std::string>{"thesis"});
  EXPECT_EQ(read_text(*files_, path + ".1.tmp").value(), "mine");
}

TEST_P(BothFileSystems, several_who_replace_a_text_at_one_time_all_can) {
  const std::string path = root_ + "/Header";
  {
    std::latch start(4);
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread)
      threads.emplace_back([&] {
        start.arrive_and_wait();
        for (int i = 0; i < 20; ++i) EXPECT_TRUE(write_text(*files_, path, "text"));
      });
  }

  EXPECT_EQ(read_text(*files_, path).value(), "text");
  EXPECT_EQ(files_->list(root_).value(), std::vector<std::string>{"Header"});
}

TEST(MakeTemporary, names_are_told_from_those_of_others) {
  MemoryFileSystem files;
  for (int i = 0; i < 12; ++i)
    EXPECT_TRUE(is_temporary_name(make_temporary(files, "a.b").value(), "a.b"));
  for (const char* name : {"a.b", ".tmp", "a.b.tmp2", "a.b..tmp", "a.b.x.tmp", "a.b.1tmp",
                           "a.bc.tmp", "a.b1.tmp", "xa.b.tmp"})
    EXPECT_FALSE(is_temporary_name(name, "a.b")) << name;
}

TEST(PosixFileSystem, pipe_or_device_is_refused_and_not_waited_for) {
  PosixFileSystem files;
  const std::string pipe =
      ::testing::TempDir() + "thalweg_file_system_pipe_" + std::to_string(::getpid());
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::array<std::byte, 4> bytes{};
  for (const std::string& path : {pipe, std::string("/dev/zero")}) {
    const std::string refusal = "'" + path + "' is a pipe or a device, and no file";
    EXPECT_EQ(files.read(path, 0, bytes).error().message, refusal);
    EXPECT_EQ(files.write(path, 0, bytes).error().message, refusal);
    EXPECT_EQ(files.status(path).error().message, refusal);
    EXPECT_EQ(files.sync(path).error().message, refusal);
    EXPECT_EQ(files.make_file(path).value(), false);
  }
  EXPECT_TRUE(files.remove(pipe));
}

TEST_P(BothFileSystems, sync_accepts_files_and_directories) {
  ASSERT_TRUE(files_->write(root_ + "/a", 0, bytes("x")));

  EXPECT_TRUE(files_->sync(root_ + "/a"));
  EXPECT_TRUE(files_->sync(root_));
}

}  // namespace
}  // namespace thalweg::io
