// SPDX-License-Identifier: MIT
#include <thalweg/app/shared_text.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>
#include <thalweg/io/testing/failing_files.hpp>
#include <thalweg/io/testing/simulated_disk.hpp>

#include "carried.hpp"

namespace thalweg::app {
namespace {

/// Lines of a rank: none, or some of other lengths than its neighbours'.
std::string lines_of(int rank, int section) {
  if ((rank + section) % 3 == 1) return "";
  return std::string(static_cast<std::size_t>(3 * rank + section), '.') + std::to_string(rank) +
         "\n";
}

io::SharedText part_of(const Context& context) {
  const auto rank = static_cast<int>(context.transport.rank()());
  return {{"a\n", lines_of(rank, 0)},
          {"", lines_of(rank, 1)},
          {"no lines\n", ""},
          {"b\n", lines_of(rank, 2)},
          {"end\n", ""}};
}

std::string whole(int n_ranks) {
  const auto all = [&](int section) {
    std::string text;
    for (int r = 0; r < n_ranks; ++r) text += lines_of(r, section);
    return text;
  };
  return "a\n" + all(0) + all(1) + "no lines\nb\n" + all(2) + "end\n";
}

TEST(SharedText, has_each_ranks_lines_in_turn_below_each_heading) {
  for (const int n_ranks : {1, 2, 3, 5, 8}) {
    io::MemoryFileSystem files;
    ASSERT_TRUE(testing::on_ranks(n_ranks, files, [](const Context& context) {
      ASSERT_TRUE(write_shared_text(context, "text", part_of(context)));
    }));
    EXPECT_EQ(io::read_text(files, "text").value(), whole(n_ranks)) << n_ranks;
  }
}

TEST(SharedText, without_a_word_makes_no_file) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(testing::on_ranks(2, files, [](const Context& context) {
    ASSERT_TRUE(write_shared_text(context, "text", {{"", ""}}));
  }));
  EXPECT_FALSE(files.status("text").value());
}

TEST(ReplaceBySharedText, leaves_nothing_of_a_longer_one_and_what_others_have_beside_it) {
  io::MemoryFileSystem files;
  ASSERT_TRUE(io::write_text(files, "text", std::string(1000, 'x')));
  ASSERT_TRUE(files.make_directory("text.tmp/thesis"));
  ASSERT_TRUE(io::write_text(files, "text.1.tmp", "mine"));
  ASSERT_TRUE(testing::on_ranks(3, files, [](const Context& context) {
    ASSERT_TRUE(replace_by_shared_text(context, "text", part_of(context)));
  }));
  EXPECT_EQ(io::read_text(files, "text").value(), whole(3));
  EXPECT_EQ(files.list(".").value(), (std::vector<std::string>{"text", "text.1.tmp", "text.tmp"}));
  EXPECT_EQ(io::read_text(files, "text.1.tmp").value(), "mine");
  EXPECT_EQ(files.list("text.tmp").value(), std::vector<std::string>{"thesis"});
}

TEST(ReplaceBySharedText, leaves_the_old_file_where_a_rank_cannot_write) {
  io::MemoryFileSystem disk;
  ASSERT_TRUE(io::write_text(disk, "text", "old"));
  std::vector<std::string> failures(3);
  ASSERT_TRUE(testing::on_ranks(3, disk, [&](const Context& context) {
    io::testing::FailingFiles files(disk);
    if (context.transport.rank() == Rank(2)) files.plan({.first = 0});
    const auto written = replace_by_shared_text(
        {context.transport, context.clock, files, context.log, {}}, "text", part_of(context));
    ASSERT_FALSE(written);
    failures[context.transport.rank()()] = written.error().message;
  }));
  EXPECT_EQ(failures, std::vector<std::string>(3, failures[0]));
  EXPECT_NE(failures[0].find("rank 2: "), std::string::npos) << failures[0];
  EXPECT_EQ(disk.list(".").value(), std::vector<std::string>{"text"});
  EXPECT_EQ(io::read_text(disk, "text").value(), "old");
}

/// Whenever power is lost, and whatever of the writes that were not synced has arrived.
TEST(ReplaceBySharedText, leaves_the_old_file_or_the_whole_new_one_when_power_is_lost) {
  for (const int n_ranks : {1, 2, 3}) {
    io::testing::SimulatedDisk disk;
    ASSERT_TRUE(io::write_text(disk, "text", "old"));
    ASSERT_TRUE(disk.sync("."));
    disk.announce("old");
    ASSERT_TRUE(testing::on_ranks(n_ranks, disk, [](const Context& context) {
      ASSERT_TRUE(replace_by_shared_text(context, "text", part_of(context)));
    }));
    SplitMix64 random(7);
    int n_old = 0, n_new = 0;
    io::testing::PowerLoss loss(disk.journal());
    while (loss.next()) {
      if (loss.announced().empty()) continue;
      for (int i = 0; i < 50; ++i) {
        const io::testing::SimulatedDisk after(loss.image(random));
        const auto text = io::read_text(after, "text");
        ASSERT_TRUE(text) << text.error().message;
        ASSERT_TRUE(*text == "old" || *text == whole(n_ranks)) << n_ranks << " ranks: " << *text;
        ++(*text == "old" ? n_old : n_new);
      }
    }
    EXPECT_GT(n_old, 0);
    EXPECT_GT(n_new, 0);
  }
}

}  // namespace
}  // namespace thalweg::app
