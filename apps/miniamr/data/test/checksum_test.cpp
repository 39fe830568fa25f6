// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/data/checksum.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

namespace thalweg::miniamr::data {
namespace {

std::vector<double> random_cells(std::size_t n, std::uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<double> cells(n);
  for (double& u : cells) u = std::ldexp(random.uniform(), -static_cast<int>(random.below(20)));
  return cells;
}

double value(const std::vector<CellSum>& sums) {
  return value_of(sum_of_blocks(sums, 1));
}

TEST(Checksum, is_the_exact_sum_rounded_once) {
  const auto cells = random_cells(10'000, 1);
  ExactSum exact;
  for (const double u : cells) exact.add(u);
  EXPECT_EQ(value({sum_of_cells(cells)}), exact.value());
}

TEST(Checksum, does_not_depend_on_how_cells_are_cut_into_blocks) {
  auto cells = random_cells(4096, 2);
  const std::vector<CellSum> one{sum_of_cells(cells)};
  const TravellingSum whole = sum_of_blocks(one, 1);
  std::ranges::reverse(cells);
  const std::span all(cells);
  const std::vector<CellSum> parts{sum_of_cells(all.first(100)), sum_of_cells(all.subspan(100, 7)),
                                   sum_of_cells(all.subspan(107))};
  EXPECT_EQ(sum_of_blocks(parts, 1), whole) << "not only when rounded";
  const auto here = sum_of_blocks(std::span(parts).first(1), 1);
  const auto there = sum_of_blocks(std::span(parts).subspan(1), 1);
  EXPECT_EQ(value_of(combine(here, there)), value_of(whole));
  EXPECT_EQ(value_of(combine(there, here)), value_of(whole));
}

TEST(Checksum, is_exact_for_the_largest_cells_of_the_largest_blocks) {
  const std::vector<double> cells(std::size_t{1} << 20, 4095.0 + 0x1p-30);
  EXPECT_EQ(value({sum_of_cells(cells)}), (4095.0 + 0x1p-30) * 0x1p20);
}

TEST(Checksum, is_exact_for_more_cells_than_bins_have_room_for) {
  // An odd number of odd multiples of a bin's unit, so that no digit of the sum may be lost.
  constexpr std::size_t n = (std::size_t{3} << 20) + 4;
  for (const double x : {4095.0 + 0x1p-20, 4095.0 + 0x1p-30, 0x1.fffffffep42}) {
    std::vector<double> cells(n, x);
    cells[7] = 0x1p-84;
    ExactSum exact;
    for (const double u : cells) exact.add(u);
    const std::vector<CellSum> sums{sum_of_cells(cells)};
    EXPECT_EQ(sum_of_blocks(sums, 1).limbs, exact.limbs()) << x << ", not only when rounded";
  }
}

TEST(Checksum, of_more_cells_than_bins_have_room_for_does_not_depend_on_how_they_are_cut) {
  const auto cells = random_cells((std::size_t{3} << 20) + 77, 4);
  const std::span all(cells);
  const std::vector<CellSum> one{sum_of_cells(all)};
  const std::vector<CellSum> parts{sum_of_cells(all.first(1000)), sum_of_cells(all.subspan(1000))};
  EXPECT_EQ(sum_of_blocks(parts, 1), sum_of_blocks(one, 1));
}

TEST(Checksum, is_no_number_where_many_cells_come_to_too_much) {
  std::vector<double> cells(std::size_t{3} << 20, 0x1.fffffffep43);
  EXPECT_TRUE(std::isnan(value({sum_of_cells(cells)})));
  cells.back() = std::nan("");
  EXPECT_TRUE(std::isnan(value({sum_of_cells(std::span(cells).last((1 << 20) + 1))})));
}

TEST(Checksum, of_cells_of_any_size_is_exact) {
  auto cells = random_cells(1000, 3);
  for (std::size_t i = 0; i < cells.size(); i += 7) cells[i] *= 0x1.8p42;
  ExactSum exact;
  for (const double u : cells) exact.add(u);
  EXPECT_EQ(value({sum_of_cells(cells)}), exact.value());
  const std::vector<double> largest(std::size_t{1} << 20, 0x1.fffffffep43);
  EXPECT_EQ(value({sum_of_cells(largest)}), 0x1.fffffffep63);
}

TEST(Checksum, of_negative_numbers_cancels) {
  const std::vector<double> cells{0.1, -0.1, 0x1p-60, 3.5, -3.5};
  EXPECT_EQ(value({sum_of_cells(cells)}), 0x1p-60);
}

TEST(Checksum, is_no_number_where_a_cell_is_none_or_too_large) {
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL, 0x1p44, -0x1.1p44})
    EXPECT_TRUE(std::isnan(value({sum_of_cells(std::vector{1.0, bad}), CellSum{}}))) << bad;
}

TEST(Checksum, is_no_number_where_a_cell_of_another_rank_is_none) {
  const std::vector<CellSum> good{sum_of_cells(std::vector{1.0})};
  const std::vector<CellSum> bad{sum_of_cells(std::vector{std::nan("")})};
  const auto here = sum_of_blocks(good, 1), there = sum_of_blocks(bad, 1);
  EXPECT_TRUE(std::isnan(value_of(combine(here, there))));
  EXPECT_TRUE(std::isnan(value_of(combine(there, here))));
}

TEST(Checksums, compare_with_the_one_before_and_replace_it) {
  std::vector<Check> seen;
  Checksums checksums{.last = {1.0, 2.0},
                      .tolerance = 0.5,
                      .first_timestep = 10,
                      .on_check = [&](const Check& check) { seen.push_back(check); }};
  checksums.check(3, 5, 1, 2.5);
  checksums.check(3, 10, 1, 3.5);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].before, 2.0);
  EXPECT_EQ(seen[1].before, 2.5);
  EXPECT_EQ(seen[1].timestep, 13);
  EXPECT_DOUBLE_EQ(seen[1].difference(), 0.4);
  EXPECT_EQ(checksums.last, (std::vector{1.0, 3.5}));
}

TEST(Checksums, that_differ_too_much_say_where) {
  Checksums checksums{.last = {1.0}};
  try {
    checksums.check(0, 5, 0, 1.0 + 1e-7);
    FAIL() << "must throw";
  } catch (const std::runtime_error& e) {
    EXPECT_NE(std::string(e.what()).find("variable 0 went from 1 to 1.0000001"), std::string::npos)
        << e.what();
  }
  EXPECT_THROW(checksums.check(0, 10, 0, std::nan("")), std::runtime_error);
}

}  // namespace
}  // namespace thalweg::miniamr::data
