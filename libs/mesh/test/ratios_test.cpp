// SPDX-License-Identifier: MIT
#include <thalweg/mesh/ratios.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>

namespace thalweg::mesh {
namespace {

TEST(Ratios, one_number_is_for_all_levels) {
  const Ratios ratios = 4;

  EXPECT_EQ(ratios.count(), 1);
  EXPECT_EQ(ratios.of(0), 4);
  EXPECT_EQ(ratios.of(Ratios::max_count - 1), 4);
  EXPECT_EQ(ratios.log2_between(0, Ratios::max_count), 2 * Ratios::max_count);
}

TEST(Ratios, several_are_for_a_level_each_and_the_last_goes_on) {
  constexpr Ratios ratios{2, 4, 2};  // known when compiled

  EXPECT_EQ(ratios.of(0), 2);
  EXPECT_EQ(ratios.of(1), 4);
  EXPECT_EQ(ratios.of(2), 2);
  EXPECT_EQ(ratios.of(3), 2);
  EXPECT_EQ(ratios.log2_between(0, 3), 4);
  EXPECT_EQ(ratios.log2_between(1, 2), 2);
  EXPECT_EQ(ratios.log2_between(2, 2), 0);
}

TEST(Ratios, are_written_as_they_were_given_and_compared_by_what_they_mean) {
  const std::vector<std::int64_t> numbers{4, 4};
  const Ratios twice(numbers);

  EXPECT_EQ(twice.given(), numbers);
  EXPECT_EQ(twice.text(), "4 4");
  EXPECT_EQ(twice, Ratios(4));
  EXPECT_NE(twice, (Ratios{4, 2}));
}

void expect_error(const std::vector<std::int64_t>& numbers, const std::string& says) {
  try {
    const Ratios ratios(numbers);
    ADD_FAILURE() << "accepted " << ratios.text();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(says), std::string::npos) << e.what();
  }
}

TEST(Ratios, of_other_numbers_or_too_many_are_refused_by_name) {
  expect_error({3}, "mesh.ratio = 3 (the refinement ratio is 2 or 4); try 2");
  expect_error({2, 8}, "ratio = 8");
  expect_error({2, 4294967298}, "ratio = 4294967298");
  expect_error({}, "mesh.ratio has 0 numbers");
  expect_error(std::vector<std::int64_t>(31, 2), "ratio has 31 numbers");
}

TEST(Ratios, of_levels_that_cannot_be_are_broken_contracts) {
  const Ratios ratios = 2;

  EXPECT_THROW(ratios.of(-1), ContractViolation);
  EXPECT_THROW(ratios.of(Ratios::max_count), ContractViolation);
  EXPECT_THROW(ratios.log2_between(2, 1), ContractViolation);
}

}  // namespace
}  // namespace thalweg::mesh
