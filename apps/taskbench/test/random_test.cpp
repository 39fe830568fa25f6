// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/random.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace thalweg::taskbench {
namespace {

TEST(Siphash, agrees_with_the_published_values) {
  HashKey key{};
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::byte>(i);
  std::vector<std::byte> bytes;
  for (int i = 0; i < 15; ++i) bytes.push_back(static_cast<std::byte>(i));

  // Appendix A of the paper, and the first of its authors' test vectors.
  EXPECT_EQ(siphash(bytes, key), 0xa129ca6149be45e5u);
  EXPECT_EQ(siphash({}, key), 0x726fdb47dd0e0e31u);
}

TEST(RandomUniform, is_uniform_and_depends_on_every_number) {
  constexpr long n = 20'000;
  double sum = 0;
  long n_low = 0;
  for (long i = 0; i < n; ++i) {
    const std::array numbers{7L, i};
    const double value = random_uniform(numbers);
    EXPECT_GE(value, 0);
    EXPECT_LT(value, 1);
    sum += value;
    n_low += value < 0.25 ? 1 : 0;
  }
  const std::array a{1L, 2L}, b{1L, 3L}, c{2L, 2L};

  // Five standard deviations: 5 / sqrt(12 n) and 5 sqrt(3 n) / 4.
  EXPECT_NEAR(sum / n, 0.5, 0.0102);
  EXPECT_NEAR(static_cast<double>(n_low), n / 4, 307);
  EXPECT_NE(random_uniform(a), random_uniform(b));
  EXPECT_NE(random_uniform(a), random_uniform(c));
}

}  // namespace
}  // namespace thalweg::taskbench
