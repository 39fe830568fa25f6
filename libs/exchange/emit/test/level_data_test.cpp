// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/level_data.hpp>

#include <gtest/gtest.h>

#include <thalweg/flow/recorder.hpp>

namespace thalweg::exchange {
namespace {

TEST(LevelData, finds_blocks_by_key_and_refuses_those_of_other_ranks) {
  flow::Recorder recorder(Rank{0}, 1);
  LevelData<2> level{3, {}};
  for (const std::uint64_t code : {4u, 7u, 9u})
    level.blocks.push_back({.key = {3, code},
                            .valid = {},
                            .cells = {},
                            .interior = recorder.datum("interior"),
                            .ghosts = recorder.datum("ghosts")});

  for (const auto& block : level.blocks) EXPECT_EQ(&level.at(block.key), &block);
  for (const std::uint64_t code : {0u, 5u, 10u})
    EXPECT_THROW(level.at({3, code}), ContractViolation);
}

}  // namespace
}  // namespace thalweg::exchange
