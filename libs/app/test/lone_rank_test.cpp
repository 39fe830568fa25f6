// SPDX-License-Identifier: MIT
#include <thalweg/app/lone_rank.hpp>

#include <cstdlib>

#include <gtest/gtest.h>

namespace thalweg::app {
namespace {

/// The environment of a rank of two, while it lives.
class OneOfTwo {
 public:
  OneOfTwo() {
    ::setenv("PMI_SIZE", "2", 1);
    ::setenv("PMI_RANK", "1", 1);
  }
  ~OneOfTwo() {
    ::unsetenv("PMI_SIZE");
    ::unsetenv("PMI_RANK");
  }
};

TEST(LoneRank, is_a_process_alone_that_was_started_as_one_of_several) {
  EXPECT_FALSE(is_one_of_several_ranks());
  EXPECT_EQ(words_of_lone_rank(1), "");

  const OneOfTwo started;
  EXPECT_TRUE(is_one_of_several_ranks());
  EXPECT_TRUE(words_of_lone_rank(1).starts_with("2 ranks were started (each is alone"));
  EXPECT_EQ(words_of_lone_rank(2), "") << "MPI knows of the other";
}

TEST(LoneRank, leaves_it_to_the_first_to_print_what_all_would) {
  EXPECT_TRUE(prints_for_all_ranks());
  const OneOfTwo started;
  EXPECT_FALSE(prints_for_all_ranks());
  ::setenv("PMI_RANK", "0", 1);
  EXPECT_TRUE(prints_for_all_ranks());
}

}  // namespace
}  // namespace thalweg::app
