// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/kernel.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace thalweg::taskbench {
namespace {

TEST(Kernel, names_are_read_back) {
  for (const std::string_view name : kernel_names()) {
    const auto type = kernel_from_string(name);
    ASSERT_TRUE(type) << name;
    EXPECT_EQ(to_string(*type), name);
  }
  EXPECT_FALSE(kernel_from_string("compute_dgemm"));
}

TEST(Kernel, busy_wait_multiplies_modulo_a_prime) {
  EXPECT_EQ(execute({.type = KernelType::busy_wait, .iterations = 2}, {}, {}), 113.0 * 139 * 139);
}

TEST(Kernel, compute_bound_squares_and_adds) {
  // One iteration takes 1, 2, 3, 4 to 2, 6, 12, 20: the product of 16 of each.
  double expected = 1;
  for (int i = 0; i < 16; ++i) expected *= 2.0 * 6 * 12 * 20;
  EXPECT_DOUBLE_EQ(execute({.type = KernelType::compute_bound, .iterations = 1}, {}, {}), expected);
  EXPECT_EQ(flops_of({.type = KernelType::compute_bound, .iterations = 10}, {}), 64 * 21);
}

TEST(Kernel, memory_bound_copies_one_sample_an_iteration_and_goes_on_next_timestep) {
  std::vector<char> scratch(64);
  const Kernel kernel{.type = KernelType::memory_bound, .iterations = 3, .samples = 4};
  for (std::size_t i = 0; i < scratch.size(); ++i) scratch[i] = static_cast<char>(i);

  execute(kernel, {0, 1, 0}, scratch);  // samples 3, 0, 1: not 2

  for (std::size_t i = 0; i < scratch.size(); ++i) {
    const bool is_copied = i % 16 >= 8 && i / 16 != 2;
    EXPECT_EQ(scratch[i], static_cast<char>(is_copied ? i - 8 : i)) << i;
  }
  EXPECT_EQ(bytes_of(kernel, 64), 48);
}

TEST(Kernel, imbalance_spreads_iterations_around_the_mean) {
  const Kernel kernel{.type = KernelType::load_imbalance, .iterations = 1000, .imbalance = 1};
  long sum = 0, least = 1000, most = 1000;
  for (long t = 0; t < 100; ++t)
    for (long p = 0; p < 100; ++p) {
      const long n = iterations_of(kernel, {0, t, p});
      sum += n, least = std::min(least, n), most = std::max(most, n);
      EXPECT_EQ(flops_of(kernel, {0, t, p}), 64 * (2 * n + 1));
    }
  EXPECT_NEAR(static_cast<double>(sum) / 1e4, 1000, 15);  // 5 standard deviations: 5 * 289 / 100
  EXPECT_GE(least, 500);
  EXPECT_LE(least, 510);
  EXPECT_GE(most, 1490);
  EXPECT_LE(most, 1500);
  EXPECT_EQ(iterations_of({.type = KernelType::busy_wait, .iterations = 9, .imbalance = 2}, {}), 9);
}

}  // namespace
}  // namespace thalweg::taskbench
