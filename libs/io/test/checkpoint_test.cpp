// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <thalweg/core/crc32c.hpp>
#include <thalweg/io/checkpoint.hpp>
#include <thalweg/io/testing/failing_files.hpp>
#include <thalweg/io/testing/simulated_disk.hpp>
#include <vector>

#include "sample_manifest.hpp"

namespace thalweg::io {
namespace {

constexpr std::uint64_t n_blocks = 18;  // of the sample, in files of 5

std::vector<std::byte> cells_of(std::uint64_t block, std::uint64_t seed) {
  const std::uint64_t n = testing::sample_manifest().block_bytes();
  std::vector<std::byte> cells(n);
  SplitMix64 random(seed * 1000 + block);
  for (auto& b : cells) b = static_cast<std::byte>(random());
  return cells;
}

/// Write blocks [first, last), as one rank of several would.
Result<void> write_part(FileSystem& files, const std::string& path, std::uint64_t first,
                        std::uint64_t last, std::uint64_t seed) {
  const auto m = testing::sample_manifest();
  CheckpointFiles to(files, path, {m.block_bytes(), m.blocks_per_file});
  std::vector<std::byte> all;
  std::vector<IndexEntry> index;
  for (std::uint64_t b = first; b < last; ++b) {
    const auto cells = cells_of(b, seed);
    all.insert(all.end(), cells.begin(), cells.end());
    index.push_back({b < 6 ? 0 : 1, crc32c(cells), b});
  }
  if (const auto done = to.write_blocks(first, all); !done) return done;
  if (const auto done = to.write_index(first, index); !done) return done;
  return to.sync();
}

std::uint32_t index_crc(FileSystem& files, const std::string& path) {
  const auto text = read_text(files, path + "/index");
  return crc32c(std::as_bytes(std::span(*text)));
}

/// Write a checkpoint in two parts until it counts, with older ones left.
Result<std::string> write_one(FileSystem& files, const std::string& folder, std::int64_t step) {
  const auto made = begin_checkpoint(files, folder, step);
  if (!made) return std::unexpected(made.error());
  const auto seed = static_cast<std::uint64_t>(step);
  if (const auto done = write_part(files, made->path, 7, n_blocks, seed); !done)
    return std::unexpected(done.error());
  if (const auto done = write_part(files, made->path, 0, 7, seed); !done)
    return std::unexpected(done.error());
  auto manifest = testing::sample_manifest();
  manifest.sequence = made->sequence;
  manifest.step = step;
  manifest.index_crc = index_crc(files, made->path);
  return commit_checkpoint(files, made->path, manifest);
}

/// Write one, and remove older ones.
Result<std::string> write_all(FileSystem& files, const std::string& folder, std::int64_t step,
                              int keep = 2) {
  auto path = write_one(files, folder, step);
  if (!path) return path;
  if (const auto done = retire_checkpoints(files, folder, keep); !done)
    return std::unexpected(done.error());
  return path;
}

std::vector<std::string> names(FileSystem& files) {
  return files.list("out").value();
}

class CheckpointFolder : public ::testing::Test {
 protected:
  CheckpointFolder() { EXPECT_TRUE(files_.make_directory("out") && files_.sync(".")); }
  testing::SimulatedDisk files_;
};

TEST_F(CheckpointFolder, has_the_blocks_where_they_belong) {
  const auto path = write_all(files_, "out", 40);
  ASSERT_TRUE(path);

  EXPECT_EQ(*path, "out/chk00040");
  EXPECT_EQ(files_.list(*path).value(),
            (std::vector<std::string>{"cells_00000", "cells_00001", "cells_00002", "cells_00003",
                                      "index", "manifest"}));
  const std::uint64_t n = testing::sample_manifest().block_bytes();
  EXPECT_EQ(files_.status("out/chk00040/cells_00003").value()->size_bytes, 3 * n);
  std::vector<std::byte> block(n);
  ASSERT_TRUE(files_.read("out/chk00040/cells_00002", n, block));
  EXPECT_EQ(block, cells_of(11, 40));
}

TEST_F(CheckpointFolder, whole_one_passes_and_any_wrong_byte_does_not) {
  const auto path = write_all(files_, "out", 40);
  const auto manifest = read_manifest(files_, *path);
  ASSERT_TRUE(manifest) << manifest.error().message;
  const auto sum = check_blocks(files_, *path, *manifest, 0, n_blocks);
  ASSERT_TRUE(sum) << sum.error().message;
  EXPECT_EQ(*sum, manifest->index_crc);

  SplitMix64 random(1);
  const auto all_names = files_.list(*path).value();
  for (const auto& name : all_names) {
    const std::string file = *path + "/" + name;
    const std::uint64_t size = files_.status(file).value()->size_bytes;
    for (int n = 0; n < 20; ++n) {
      const std::uint64_t at = random.below(size);
      std::vector<std::byte> byte(1);
      ASSERT_TRUE(files_.read(file, at, byte));
      byte[0] ^= std::byte{0x10};
      ASSERT_TRUE(files_.write(file, at, byte));
      const auto read = read_manifest(files_, *path);
      const auto checked =
          read ? check_blocks(files_, *path, *read, 0, n_blocks) : Result<std::uint32_t>{0};
      EXPECT_TRUE(!read || !checked || *checked != read->index_crc) << file << ' ' << at;
      byte[0] ^= std::byte{0x10};
      ASSERT_TRUE(files_.write(file, at, byte));
    }
  }
}

TEST_F(CheckpointFolder, is_checked_with_a_read_a_file_where_blocks_are_small) {
  const auto path = write_all(files_, "out", 40);
  const auto manifest = read_manifest(files_, *path).value();
  testing::FailingFiles counted(files_);
  EXPECT_EQ(check_blocks(counted, *path, manifest, 0, n_blocks).value(), manifest.index_crc);
  EXPECT_EQ(counted.n_reads(), 5u);  // four files of cells and the index
}

TEST(CheckpointFiles, as_many_blocks_are_read_at_once_as_fit_into_the_buffer) {
  EXPECT_EQ(CheckpointFiles::blocks_at_once(1 << 20), 4u);
  EXPECT_EQ(CheckpointFiles::blocks_at_once(std::uint64_t{1} << 40), 1u);
}

TEST_F(CheckpointFolder, an_index_with_bytes_behind_its_last_entry_does_not_pass) {
  const auto path = write_all(files_, "out", 40);
  const auto manifest = read_manifest(files_, *path).value();
  const std::vector<std::byte> more(1);
  ASSERT_TRUE(files_.write(*path + "/index", n_blocks * sizeof(IndexEntry), more));
  EXPECT_FALSE(check_blocks(files_, *path, manifest, 0, 1));
}

TEST_F(CheckpointFolder, a_file_that_is_missing_or_short_is_named) {
  const auto path = write_all(files_, "out", 40);
  const auto manifest = read_manifest(files_, *path).value();
  ASSERT_TRUE(files_.remove(*path + "/cells_00001"));
  const auto checked = check_blocks(files_, *path, manifest, 0, n_blocks);
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().message.find("cells_00001"), std::string::npos);

  ASSERT_TRUE(files_.remove(*path + "/index"));
  const auto without_index = check_blocks(files_, *path, manifest, 0, n_blocks);
  ASSERT_FALSE(without_index);
  EXPECT_NE(without_index.error().message.find("/index': it is not there"), std::string::npos)
      << without_index.error().message;
}

TEST(CheckpointFiles, has_a_block_if_its_last_byte_is_there) {
  MemoryFileSystem files;
  ASSERT_TRUE(files.make_directory("chk"));
  CheckpointFiles data(files, "chk", {.block_bytes = 16, .blocks_per_file = 2});
  const std::vector<std::byte> cells(3 * 16);
  ASSERT_TRUE(data.write_blocks(0, cells));
  for (const std::uint64_t position : {0, 1, 2}) EXPECT_TRUE(data.has_block(position)) << position;
  EXPECT_FALSE(data.has_block(3));
  EXPECT_NE(data.has_block(4).error().message.find("it is not there"), std::string::npos);

  const std::string file = "chk/" + files.list("chk").value().front();
  std::string bytes = read_text(files, file).value();
  ASSERT_EQ(bytes.size(), 32u);
  bytes.pop_back();
  ASSERT_TRUE(write_text(files, file, bytes));
  EXPECT_TRUE(data.has_block(0));
  const auto short_one = data.has_block(1);
  ASSERT_FALSE(short_one);
  EXPECT_NE(short_one.error().message.find("block 1 is not in it"), std::string::npos);
}

TEST_F(CheckpointFolder, finds_the_newest_written_whatever_its_step) {
  ASSERT_TRUE(write_all(files_, "out", 60));
  ASSERT_TRUE(write_all(files_, "out", 50));  // a run went on from an older one, another way

  const auto found = find_checkpoints(files_, "out").value();

  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].path, "out/chk00050");
  EXPECT_EQ(found[0].manifest->sequence, 2u);
  EXPECT_EQ(found[1].path, "out/chk00060");
}

TEST_F(CheckpointFolder, keeps_as_many_as_it_should) {
  for (const int step : {10, 20, 30, 40}) ASSERT_TRUE(write_all(files_, "out", step, 2));
  EXPECT_EQ(names(files_), (std::vector<std::string>{"chk00030", "chk00040"}));
  ASSERT_TRUE(write_all(files_, "out", 50, 1));
  EXPECT_EQ(names(files_), (std::vector<std::string>{"chk00050"}));
}

/// Counts how often the folder of results is listed.
class ListCounter final : public testing::PassingFiles {
 public:
  using PassingFiles::PassingFiles;
  Result<std::vector<std::string>> list(const std::string& path) const override {
    if (path == "out") ++n_lists;
    return PassingFiles::list(path);
  }
  mutable int n_lists = 0;
};

TEST_F(CheckpointFolder, is_listed_once_before_one_is_written_and_once_after) {
  ListCounter files(files_);
  for (const std::int64_t step : {1, 2, 3}) ASSERT_TRUE(write_all(files, "out", step));
  EXPECT_EQ(names(files_), (std::vector<std::string>{"chk00002", "chk00003"}));
  EXPECT_EQ(files.n_lists, 2 * 3);
}

TEST_F(CheckpointFolder, one_of_the_same_step_stays_until_the_new_one_is_whole) {
  ASSERT_TRUE(write_all(files_, "out", 40, 1));
  const auto made = begin_checkpoint(files_, "out", 40).value();
  EXPECT_EQ(made.path, "out/chk00040.2");
  EXPECT_TRUE(read_manifest(files_, "out/chk00040"));

  const auto again = write_all(files_, "out", 40, 1);
  EXPECT_EQ(again.value(), "out/chk00040");
  EXPECT_EQ(names(files_), (std::vector<std::string>{"chk00040"}));
  EXPECT_EQ(read_manifest(files_, "out/chk00040")->sequence, 2u);
}

TEST_F(CheckpointFolder, what_was_never_finished_goes_with_the_next_one) {
  ASSERT_TRUE(write_all(files_, "out", 40));
  for (const char* name : {"chk00050", "chk00030.trash", "chk00060.4", "plt00040", "chk", "chk7"})
    ASSERT_TRUE(files_.make_directory(std::string("out/") + name));
  ASSERT_TRUE(files_.write("out/chk00050/cells_00000", 0, cells_of(0, 0)));

  ASSERT_TRUE(begin_checkpoint(files_, "out", 70));

  EXPECT_EQ(names(files_),
            (std::vector<std::string>{"chk", "chk00040", "chk00070", "chk7", "plt00040"}));
}

TEST_F(CheckpointFolder, a_leftover_that_cannot_be_removed_is_told_of_and_stops_no_checkpoint) {
  ASSERT_TRUE(write_all(files_, "out", 40));
  for (const char* name : {"chk00010.trash", "chk00050", "chk00060.trash"})
    ASSERT_TRUE(files_.make_directory(std::string("out/") + name));
  testing::FailingFiles failing(files_);
  failing.keep("out/chk00010.trash");

  const auto made = begin_checkpoint(failing, "out", 50);

  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->leftover, "cannot remove 'out/chk00010.trash': Directory not empty");
  EXPECT_EQ(names(files_), (std::vector<std::string>{"chk00010.trash", "chk00040", "chk00050"}));
  EXPECT_EQ(write_all(failing, "out", 50).value(), "out/chk00050");
  failing.keep("");
  EXPECT_EQ(begin_checkpoint(failing, "out", 60).value().leftover, "");
}

TEST_F(CheckpointFolder, no_file_of_a_leftover_gets_into_a_new_one) {
  ASSERT_TRUE(write_all(files_, "out", 40));
  for (const char* name : {"out/chk00050", "out/chk00050.2"}) {  // .2 has the next number
    ASSERT_TRUE(files_.make_directory(name));
    ASSERT_TRUE(files_.write(std::string(name) + "/index", 0, cells_of(0, 0)));
  }
  testing::FailingFiles failing(files_);
  failing.keep("out/chk00050");

  const auto path = write_one(failing, "out", 50);

  ASSERT_TRUE(path) << path.error().message;
  const auto manifest = read_manifest(files_, *path);
  ASSERT_TRUE(manifest) << manifest.error().message;
  EXPECT_EQ(check_blocks(files_, *path, *manifest, 0, n_blocks).value_or(0), manifest->index_crc);
  EXPECT_EQ(find_checkpoints(files_, "out").value()[0].path, *path);
}

TEST_F(CheckpointFolder, old_ones_go_although_one_of_them_cannot) {
  for (const int step : {10, 20, 30}) ASSERT_TRUE(write_one(files_, "out", step));
  testing::FailingFiles failing(files_);
  failing.keep("out/chk00020.trash");

  EXPECT_FALSE(retire_checkpoints(failing, "out", 1));

  EXPECT_EQ(names(files_), (std::vector<std::string>{"chk00020.trash", "chk00030"}));
}

TEST_F(CheckpointFolder, damaged_manifests_come_last_with_what_is_wrong) {
  ASSERT_TRUE(write_all(files_, "out", 40));
  ASSERT_TRUE(write_all(files_, "out", 50));
  ASSERT_TRUE(files_.write("out/chk00050/manifest", 100, cells_of(0, 0)));
  ASSERT_TRUE(files_.make_directory("out/chk00060"));

  const auto found = find_checkpoints(files_, "out").value();

  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].path, "out/chk00040");
  const auto& why = found[1].manifest.error().message;
  EXPECT_NE(why.find("'out/chk00050' cannot be used: it is damaged"), std::string::npos) << why;
  EXPECT_NE(found[2].manifest.error().message.find("no manifest"), std::string::npos);
  // And a new one of the same step takes the place of a damaged one.
  ASSERT_TRUE(write_all(files_, "out", 50));
  EXPECT_EQ(names(files_), (std::vector<std::string>{"chk00040", "chk00050"}));
  EXPECT_EQ(find_checkpoints(files_, "out").value()[0].path, "out/chk00050");
}

TEST_F(CheckpointFolder, an_index_shorter_than_the_manifest_says_takes_no_memory) {
  const auto path = write_all(files_, "out", 40);
  auto manifest = read_manifest(files_, *path).value();
  manifest.blocks_per_level = {std::int64_t{1} << 40};
  EXPECT_FALSE(check_blocks(files_, *path, manifest, 0, manifest.n_blocks()));
}

TEST_F(CheckpointFolder, a_fault_while_one_takes_anothers_place_leaves_a_whole_one) {
  testing::FailingFiles failing(files_);
  ASSERT_TRUE(write_all(files_, "out", 40));
  for (std::uint64_t n = 0; n < 20; ++n) {
    const auto made = begin_checkpoint(files_, "out", 40).value();
    ASSERT_TRUE(write_part(files_, made.path, 0, n_blocks, 1));
    auto manifest = testing::sample_manifest();
    manifest.sequence = made.sequence;
    manifest.step = 40;
    manifest.index_crc = index_crc(files_, made.path);
    failing.plan({.first = n, .n_operations = 1000});
    const auto path = commit_checkpoint(failing, made.path, manifest);
    const auto found = find_checkpoints(files_, "out").value();
    ASSERT_TRUE(found.at(0).manifest) << found[0].manifest.error().message;
    if (path) {
      EXPECT_EQ(found[0].path, *path);
      EXPECT_EQ(found[0].manifest->sequence, made.sequence);
    }
  }
}

TEST_F(CheckpointFolder, one_that_could_not_be_read_back_does_not_count_and_older_ones_stay) {
  ASSERT_TRUE(write_all(files_, "out", 40));
  const auto before = read_manifest(files_, "out/chk00040").value();
  const auto made = begin_checkpoint(files_, "out", 40).value();
  ASSERT_TRUE(write_part(files_, made.path, 0, n_blocks, 1));
  auto manifest = testing::sample_manifest();
  manifest.sequence = made.sequence;
  manifest.time = std::numeric_limits<double>::infinity();
  manifest.index_crc = index_crc(files_, made.path);

  const auto path = commit_checkpoint(files_, made.path, manifest);

  ASSERT_FALSE(path);
  const auto& why = path.error().message;
  EXPECT_NE(why.find("no run could go on from '" + made.path + "'"), std::string::npos) << why;
  EXPECT_NE(why.find("a number in 'time'"), std::string::npos) << why;
  EXPECT_FALSE(files_.status(made.path + "/manifest").value());
  const auto found = find_checkpoints(files_, "out").value();
  EXPECT_EQ(found[0].path, "out/chk00040");
  EXPECT_EQ(found[0].manifest.value(), before);
}

TEST_F(CheckpointFolder, manifest_comes_after_everything_else_is_durable) {
  ASSERT_TRUE(write_all(files_, "out", 40));
  // Lose power after each change, with nothing on the disk but what was synced: where the manifest
  // is there, all is.
  testing::PowerLoss loss(files_.journal());
  int n_whole = 0;
  while (loss.next()) {
    testing::SimulatedDisk after(loss.durable());
    const auto manifest = read_manifest(after, "out/chk00040");
    if (!manifest) continue;
    ++n_whole;
    EXPECT_EQ(check_blocks(after, "out/chk00040", *manifest, 0, n_blocks).value_or(0),
              manifest->index_crc);
  }
  EXPECT_GT(n_whole, 0);
}

TEST_F(CheckpointFolder, a_fault_at_any_operation_leaves_the_older_one_whole) {
  testing::FailingFiles failing(files_);
  ASSERT_TRUE(write_all(failing, "out", 10, 1));
  failing.plan({});
  ASSERT_TRUE(write_all(failing, "out", 20, 1));
  const std::uint64_t n_operations = failing.n_operations();
  ASSERT_GT(n_operations, 10u);

  std::int64_t last = 20;
  for (const std::uint64_t n_failing : {std::uint64_t{1}, std::uint64_t{1000}})
    for (std::uint64_t n = 0; n < n_operations; ++n) {
      failing.plan({n, n_failing});
      const auto made = begin_checkpoint(failing, "out", last + 1);
      if (made) {
        ASSERT_TRUE(write_part(files_, made->path, 0, n_blocks, 1));
        auto manifest = testing::sample_manifest();
        manifest.sequence = made->sequence;
        manifest.step = last + 1;
        manifest.index_crc = index_crc(files_, made->path);
        const auto path = commit_checkpoint(failing, made->path, manifest);
        if (path) {
          EXPECT_TRUE(read_manifest(files_, *path)) << *path;
          ++last;
          static_cast<void>(retire_checkpoints(failing, "out", 1));
        }
      }
      const auto found = find_checkpoints(files_, "out").value();
      ASSERT_FALSE(found.empty());
      ASSERT_TRUE(found[0].manifest) << found[0].manifest.error().message;
      EXPECT_GE(found[0].manifest->step, last);
      EXPECT_EQ(check_blocks(files_, found[0].path, *found[0].manifest, 0, n_blocks).value_or(0),
                found[0].manifest->index_crc);
    }
}

TEST_F(CheckpointFolder, no_fault_before_it_counts_goes_unnoticed) {
  testing::FailingFiles failing(files_);
  ASSERT_TRUE(files_.make_directory("run/out"));
  failing.plan({});
  ASSERT_TRUE(write_one(failing, "run/out", 10));
  const std::uint64_t n_operations = failing.n_operations();
  ASSERT_GT(n_operations, 20u);  // four files of cells and an index, by two ranks, and more
  for (std::uint64_t n = 0; n < n_operations; ++n) {
    ASSERT_TRUE(files_.remove("run/out/chk00010"));
    failing.plan({.first = n});
    EXPECT_FALSE(write_one(failing, "run/out", 10)) << "operation " << n;
  }
}

TEST_F(CheckpointFolder, newest_announced_is_whole_after_a_loss_of_power_at_any_change) {
  for (const int step : {10, 20, 30}) {
    ASSERT_TRUE(write_all(files_, "out", step, 1));
    files_.announce(std::to_string(step));
  }
  SplitMix64 random(1);
  testing::PowerLoss loss(files_.journal());
  while (loss.next())
    for (int n = 0; n < 20; ++n) {
      testing::SimulatedDisk after(loss.image(random));
      const auto found = find_checkpoints(after, "out");
      std::int64_t newest = 0;
      for (const auto& [path, manifest] : found.value_or(std::vector<FoundCheckpoint>{})) {
        if (!after.status(path + "/manifest").value()) continue;  // never finished, or half removed
        ASSERT_TRUE(manifest) << manifest.error().message;
        const auto sum = check_blocks(after, path, *manifest, 0, n_blocks);
        ASSERT_TRUE(sum) << sum.error().message;
        EXPECT_EQ(*sum, manifest->index_crc);
        newest = std::max(newest, manifest->step);
      }
      EXPECT_GE(newest, loss.announced().empty() ? 0 : std::stoll(loss.announced()));
    }
}

/// Go back to the first of three checkpoints, of steps 10, 20 and 30.
Result<std::vector<std::string>> go_back(FileSystem& files) {
  return supersede_checkpoints(files, "out", read_manifest(files, "out/chk00010").value());
}

TEST_F(CheckpointFolder, those_that_a_run_goes_back_behind_get_another_name_and_stay_so_long) {
  for (const int step : {10, 20, 30}) ASSERT_TRUE(write_all(files_, "out", step, 3));
  EXPECT_EQ(go_back(files_).value(), (std::vector<std::string>{"out/chk00020", "out/chk00030"}));
  EXPECT_EQ(go_back(files_).value(), std::vector<std::string>{});
  EXPECT_EQ(names(files_),
            (std::vector<std::string>{"chk00010", "chk00020.superseded", "chk00030.superseded"}));
  EXPECT_EQ(find_checkpoints(files_, "out").value().size(), 1u);
  // What comes next is newer than all; of a step that it has again one is enough.
  ASSERT_TRUE(write_all(files_, "out", 15, 3));
  EXPECT_EQ(read_manifest(files_, "out/chk00015")->sequence, 4u);
  ASSERT_TRUE(write_all(files_, "out", 20, 3));
  EXPECT_EQ(names(files_),
            (std::vector<std::string>{"chk00010", "chk00015", "chk00020", "chk00030.superseded"}));
  // To go back once more takes the same names; and none stays that as many are newer than.
  EXPECT_EQ(go_back(files_).value(), (std::vector<std::string>{"out/chk00015", "out/chk00020"}));
  EXPECT_EQ(read_manifest(files_, "out/chk00020.superseded")->sequence, 5u);
  for (const int step : {40, 50, 60}) ASSERT_TRUE(write_all(files_, "out", step, 3));
  EXPECT_EQ(names(files_), (std::vector<std::string>{"chk00040", "chk00050", "chk00060"}));
}

TEST_F(CheckpointFolder, a_newer_one_of_an_earlier_step_is_gone_back_behind_as_well) {
  for (const int step : {10, 30, 20}) ASSERT_TRUE(write_all(files_, "out", step, 3));
  const auto of_30 = read_manifest(files_, "out/chk00030").value();
  EXPECT_EQ(supersede_checkpoints(files_, "out", of_30).value(),
            std::vector<std::string>{"out/chk00020"});
  EXPECT_EQ(find_checkpoints(files_, "out").value()[0].path, "out/chk00030");
}

TEST_F(CheckpointFolder, an_older_one_of_a_later_step_is_gone_back_behind_as_well) {
  for (const int step : {10, 30, 20}) ASSERT_TRUE(write_all(files_, "out", step, 3));
  const auto of_20 = read_manifest(files_, "out/chk00020").value();
  EXPECT_EQ(supersede_checkpoints(files_, "out", of_20).value(),
            std::vector<std::string>{"out/chk00030"});
}

TEST_F(CheckpointFolder, one_that_was_written_again_and_superseded_again_takes_the_place) {
  for (const int step : {10, 20}) ASSERT_TRUE(write_all(files_, "out", step, 3));
  ASSERT_TRUE(go_back(files_));
  ASSERT_TRUE(write_one(files_, "out", 20));  // and killed before the other one was removed
  ASSERT_TRUE(go_back(files_));
  EXPECT_EQ(names(files_), (std::vector<std::string>{"chk00010", "chk00020.superseded"}));
  EXPECT_EQ(read_manifest(files_, "out/chk00020.superseded")->sequence, 3u);
}

TEST_F(CheckpointFolder, a_loss_of_power_while_a_run_goes_back_leaves_the_newest_or_that_one) {
  for (const int step : {10, 20, 30}) ASSERT_TRUE(write_all(files_, "out", step, 3));
  files_.announce("written");
  ASSERT_TRUE(go_back(files_));
  files_.announce("back");
  SplitMix64 random(1);
  testing::PowerLoss loss(files_.journal());
  int n_before = 0, n_after = 0;
  while (loss.next())
    for (int n = 0; !loss.announced().empty() && n < 100; ++n) {
      testing::SimulatedDisk after(loss.image(random));
      const auto found = find_checkpoints(after, "out").value();
      ASSERT_TRUE(found.at(0).manifest) << found[0].manifest.error().message;
      const auto newest = found[0].manifest->step;
      ASSERT_TRUE(newest == 10 || (newest == 30 && loss.announced() == "written")) << newest;
      ++(newest == 10 ? n_after : n_before);
      for (const auto* name : {"out/chk00020", "out/chk00030"}) {
        const bool has_moved = !after.status(name).value();
        const auto path = std::string(name) + (has_moved ? ".superseded" : "");
        const auto manifest = read_manifest(after, path);
        ASSERT_TRUE(manifest) << manifest.error().message;
        EXPECT_EQ(check_blocks(after, path, *manifest, 0, n_blocks).value_or(0),
                  manifest->index_crc);
      }
    }
  EXPECT_GT(n_before, 0);
  EXPECT_GT(n_after, 0);
}

TEST_F(CheckpointFolder, what_only_has_the_name_of_one_stays) {
  ASSERT_TRUE(files_.make_directory("out/chk00040"));
  ASSERT_TRUE(write_text(files_, "out/chk00040/notes", "mine"));
  EXPECT_EQ(write_all(files_, "out", 40, 1).value(), "out/chk00040.1");
  EXPECT_EQ(write_all(files_, "out", 50, 1).value(), "out/chk00050");
  EXPECT_EQ(names(files_), (std::vector<std::string>{"chk00040", "chk00050"}));
  EXPECT_EQ(read_text(files_, "out/chk00040/notes").value(), "mine");
}

TEST_F(CheckpointFolder, what_only_has_the_name_of_one_that_is_removed_stays) {
  for (const char* name : {"out/chk00010.trash", "out/chk00020.superseded.trash"}) {
    ASSERT_TRUE(files_.make_directory(name));
    ASSERT_TRUE(write_text(files_, std::string(name) + "/notes", "mine"));
  }
  ASSERT_TRUE(write_text(files_, "out/chk00030.trash", "mine"));
  const auto all = names(files_);
  EXPECT_EQ(begin_checkpoint(files_, "out", 40).value().leftover, "");
  for (const auto& name : all) EXPECT_TRUE(files_.status("out/" + name).value()) << name;
  EXPECT_EQ(read_text(files_, "out/chk00010.trash/notes").value(), "mine");

  // One of the same step that is no longer wanted keeps the name that it has.
  ASSERT_TRUE(write_one(files_, "out", 10));
  ASSERT_TRUE(write_one(files_, "out", 50));
  EXPECT_FALSE(retire_checkpoints(files_, "out", 1));
  EXPECT_TRUE(read_manifest(files_, "out/chk00010"));
  EXPECT_EQ(read_text(files_, "out/chk00010.trash/notes").value(), "mine");
}

TEST(CheckpointName, is_told_from_others) {
  for (const char* name : {"chk00040", "chk123456", "chk00040.2"}) {
    EXPECT_TRUE(is_checkpoint_name(name)) << name;
    EXPECT_TRUE(is_retired_name(std::string(name) + ".trash")) << name;
    EXPECT_TRUE(is_superseded_name(std::string(name) + ".superseded")) << name;
    EXPECT_TRUE(is_retired_name(std::string(name) + ".superseded.trash")) << name;
  }
  for (const char* name : {"chk", "chk0040", "chk00040.", "chk00040.x", "chk00040.trash",
                           "chk00040.superseded", "plt00040", "chk00040.2.3", "xchk00040"})
    EXPECT_FALSE(is_checkpoint_name(name)) << name;
  EXPECT_FALSE(is_superseded_name("plt00040.superseded"));
  EXPECT_FALSE(is_retired_name("chk00040"));
}

}  // namespace
}  // namespace thalweg::io
