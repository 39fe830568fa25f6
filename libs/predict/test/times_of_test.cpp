// SPDX-License-Identifier: MIT
#include <thalweg/predict/times_of.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::predict {
namespace {

using Sentences = std::vector<std::string>;

const TimesOf blocks_of_8{"hydro", {{"mesh.block_cells", "8"}}, {{"hydro.scheme", "vl2"}}};

TEST(TimesOf, OtherBlocksAreCertainlyOthers) {
  const TimesOf blocks_of_16{"hydro", {{"mesh.block_cells", "16"}}, {{"hydro.scheme", "vl2"}}};
  const auto found = differences(blocks_of_8, blocks_of_16);
  EXPECT_EQ(found.certain, Sentences{"mesh.block_cells is 8 there and 16 here"});
  EXPECT_EQ(found.possible, Sentences{});
}

TEST(TimesOf, OtherDetailsArePerhapsOthers) {
  const TimesOf rk3{"hydro", {{"mesh.block_cells", "8"}}, {{"hydro.scheme", "rk3"}}};
  const auto found = differences(blocks_of_8, rk3);
  EXPECT_EQ(found.certain, Sentences{});
  EXPECT_EQ(found.possible, Sentences{"hydro.scheme is vl2 there and rk3 here"});
}

TEST(TimesOf, OtherProgramsAreOthersWhateverTheirSettings) {
  const auto found = differences(blocks_of_8, {"mhd", {{"mesh.block_cells", "16"}}, {}});
  EXPECT_EQ(found.certain, Sentences{"they are of hydro, this is mhd"});
  EXPECT_EQ(found.possible, Sentences{});
}

TEST(TimesOf, WhatIsNotKnownDoesNotDiffer) {
  for (const TimesOf& other : {blocks_of_8, TimesOf{}, TimesOf{"hydro", {{"mesh.dim", "2"}}, {}}}) {
    EXPECT_EQ(differences(blocks_of_8, other).certain, Sentences{});
    EXPECT_EQ(differences(other, blocks_of_8).certain, Sentences{});
    EXPECT_EQ(differences(other, blocks_of_8).possible, Sentences{});
  }
}

}  // namespace
}  // namespace thalweg::predict
