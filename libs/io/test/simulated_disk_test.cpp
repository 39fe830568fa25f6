// SPDX-License-Identifier: MIT
#include <thalweg/io/testing/simulated_disk.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace thalweg::io::testing {
namespace {

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

/// All that can be found under a name after a loss of power at the end of the journal.
std::set<std::string> outcomes(const SimulatedDisk& disk, const std::string& path) {
  PowerLoss loss(disk.journal());
  while (loss.next()) {
  }
  std::set<std::string> found;
  SplitMix64 random(5);
  for (int n = 0; n < 2000; ++n) {
    const SimulatedDisk after(loss.image(random));
    found.insert(read_text(after, path).value_or("nothing"));
  }
  return found;
}

TEST(SimulatedDisk, shows_what_was_done_at_once) {
  SimulatedDisk disk;
  ASSERT_TRUE(disk.make_directory("a/b"));
  ASSERT_TRUE(disk.write("a/b/c", 2, bytes("xyz")));
  ASSERT_TRUE(disk.rename("a/b/c", "a/b/d"));

  EXPECT_EQ(read_text(disk, "a/b/d").value(), std::string("\0\0xyz", 5));
  EXPECT_FALSE(disk.status("a/b/c").value());
  EXPECT_EQ(disk.list("a").value(), std::vector<std::string>{"b"});
  ASSERT_TRUE(disk.remove("a"));
  EXPECT_TRUE(disk.list(".").value().empty());
  EXPECT_FALSE(disk.write("a/b/c", 0, bytes("x")));
  EXPECT_FALSE(disk.sync("a"));
}

TEST(SimulatedDisk, without_a_sync_anything_may_be_there_or_nothing) {
  SimulatedDisk disk;
  ASSERT_TRUE(disk.write("f", 0, bytes("a")));
  ASSERT_TRUE(disk.write("f", 1, bytes("b")));

  EXPECT_EQ(outcomes(disk, "f"),
            (std::set<std::string>{"nothing", "", "a", "ab", std::string("\0b", 2),
                                   std::string("\0\0", 2), std::string("a\0", 2)}));
}

TEST(SimulatedDisk, a_synced_file_needs_its_name_synced_as_well) {
  SimulatedDisk disk;
  ASSERT_TRUE(disk.write("f", 0, bytes("ab")));
  ASSERT_TRUE(disk.sync("f"));
  EXPECT_EQ(outcomes(disk, "f"), (std::set<std::string>{"nothing", "ab"}));
  ASSERT_TRUE(disk.sync("."));
  EXPECT_EQ(outcomes(disk, "f"), (std::set<std::string>{"ab"}));
}

TEST(SimulatedDisk, a_synced_name_of_an_unsynced_file_may_be_empty) {
  SimulatedDisk disk;
  ASSERT_TRUE(disk.write("f", 0, bytes("a")));
  ASSERT_TRUE(disk.sync("."));
  EXPECT_EQ(outcomes(disk, "f"), (std::set<std::string>{"", "a", std::string("\0", 1)}));
}

TEST(SimulatedDisk, a_rename_is_there_or_not_and_never_half) {
  SimulatedDisk disk;
  ASSERT_TRUE(disk.write("old", 0, bytes("old")));
  ASSERT_TRUE(disk.write("new", 0, bytes("new")));
  for (const char* path : {"old", "new", "."}) ASSERT_TRUE(disk.sync(path));
  ASSERT_TRUE(disk.rename("new", "old"));
  EXPECT_EQ(outcomes(disk, "old"), (std::set<std::string>{"old", "new"}));
  EXPECT_EQ(outcomes(disk, "new"), (std::set<std::string>{"nothing", "new"}));
}

TEST(SimulatedDisk, torn_writes_lack_sectors) {
  SimulatedDisk disk;
  ASSERT_TRUE(disk.write("f", 0, bytes(std::string(32, 'x'))));
  ASSERT_TRUE(disk.sync("."));
  const auto found = outcomes(disk, "f");
  EXPECT_TRUE(found.contains(std::string(16, '\0') + std::string(16, 'x')));
  EXPECT_TRUE(found.contains(std::string(16, 'x') + std::string(16, '\0')));
}

}  // namespace
}  // namespace thalweg::io::testing
