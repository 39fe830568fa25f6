// SPDX-License-Identifier: MIT
#include <thalweg/flow/picker.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace thalweg::flow {
namespace {

const std::vector<TaskId> ready{TaskId(3), TaskId(5), TaskId(8)};

TEST(UniformPicker, reaches_everything_and_repeats_with_the_seed) {
  UniformPicker a(7), b(7);
  std::set<std::size_t> seen;
  for (int i = 0; i < 100; ++i) {
    const std::size_t pick = a.pick(ready);
    EXPECT_EQ(pick, b.pick(ready));
    seen.insert(pick);
  }

  EXPECT_EQ(seen, (std::set<std::size_t>{0, 1, 2}));
}

TEST(PctPicker, keeps_to_its_priorities_but_for_so_many_changes) {
  std::set<std::size_t> first;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    PctPicker picker({.seed = seed, .n_changes = 2, .n_steps = 100});
    std::size_t last = picker.pick(ready);
    first.insert(last);
    int n_changes = 0;
    for (int i = 0; i < 200; ++i) {
      const std::size_t pick = picker.pick(ready);
      n_changes += pick != last ? 1 : 0;
      last = pick;
    }
    EXPECT_LE(n_changes, 2);
    EXPECT_GE(n_changes, 1);  // the two can fall on the first pick, but not of these seeds
  }

  EXPECT_EQ(first.size(), 3u);
}

}  // namespace
}  // namespace thalweg::flow
