// SPDX-License-Identifier: MIT
#include <thalweg/core/crc32c.hpp>

#include <numeric>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

namespace thalweg {
namespace {

std::uint32_t of(const std::vector<std::uint8_t>& bytes) {
  return crc32c(std::as_bytes(std::span(bytes)));
}

std::vector<std::uint8_t> random_bytes(std::size_t n, std::uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<std::uint8_t> bytes(n);
  for (auto& b : bytes) b = static_cast<std::uint8_t>(random());
  return bytes;
}

TEST(Crc32c, agrees_with_the_vectors_of_rfc_3720) {
  std::vector<std::uint8_t> ascending(32);
  std::iota(ascending.begin(), ascending.end(), std::uint8_t{0});
  const std::vector<std::uint8_t> descending(ascending.rbegin(), ascending.rend());

  EXPECT_EQ(of(std::vector<std::uint8_t>(32, 0x00)), 0x8a9136aau);
  EXPECT_EQ(of(std::vector<std::uint8_t>(32, 0xff)), 0x62a8ab43u);
  EXPECT_EQ(of(ascending), 0x46dd794eu);
  EXPECT_EQ(of(descending), 0x113fdb5cu);
  EXPECT_EQ(crc32c(std::as_bytes(std::span(std::string_view("123456789")))), 0xe3069283u);
  EXPECT_EQ(crc32c({}), 0u);
}

TEST(Crc32c, continues_at_any_place) {
  const auto bytes = random_bytes(100, 1);
  const auto whole = std::as_bytes(std::span(bytes));

  for (std::size_t n = 0; n <= bytes.size(); ++n)
    EXPECT_EQ(crc32c(whole.subspan(n), crc32c(whole.first(n))), crc32c(whole)) << n;
}

TEST(Crc32c, of_the_whole_is_combined_from_its_parts) {
  for (const std::size_t size : {0u, 1u, 7u, 64u, 1000u, 70'001u}) {
    const auto bytes = random_bytes(size, size);
    const auto whole = std::as_bytes(std::span(bytes));
    for (const std::size_t n : {std::size_t{0}, size / 3, size}) {
      const auto first = whole.first(n), rest = whole.subspan(n);
      EXPECT_EQ(crc32c_combined(crc32c(first), crc32c(rest), rest.size()), crc32c(whole))
          << size << " bytes, cut at " << n;
    }
  }
}

TEST(Crc32c, one_wrong_bit_is_seen) {
  auto bytes = random_bytes(40, 3);
  const std::uint32_t right = of(bytes);
  for (auto& b : bytes)
    for (int bit = 0; bit < 8; ++bit) {
      b = static_cast<std::uint8_t>(b ^ (1 << bit));
      EXPECT_NE(of(bytes), right);
      b = static_cast<std::uint8_t>(b ^ (1 << bit));
    }
}

}  // namespace
}  // namespace thalweg
