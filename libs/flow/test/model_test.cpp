// SPDX-License-Identifier: MIT
#include <thalweg/flow/model.hpp>

#include <gtest/gtest.h>

namespace thalweg::flow {
namespace {

TEST(Model, names_go_both_ways) {
  for (const Model m : all_models) EXPECT_EQ(model_from_string(to_string(m)), m);

  EXPECT_EQ(to_string(Model::forkjoin), "forkjoin");
  EXPECT_EQ(model_from_string("waterfall"), std::nullopt);
}

}  // namespace
}  // namespace thalweg::flow
