// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <string>
#include <string_view>
#include <thalweg/core/hash.hpp>

namespace thalweg {
namespace {

std::uint64_t hash_of(std::string_view text, std::uint64_t seed = 0) {
  return hash_bytes(std::as_bytes(std::span(text)), seed);
}

TEST(HashBytes, values_are_the_same_on_every_machine) {
  // Computed by the same formula in Python; recorded hashes of results depend on them.
  EXPECT_EQ(hash_of(""), 0xe220a8397b1dcdafu);
  EXPECT_EQ(hash_of("thalweg"), 0x20a6f3973b9a6a77u);
  EXPECT_EQ(hash_of("12345678abc", 42), 0x9c63f0671a112c00u);
}

TEST(HashBytes, changes_with_every_bit_length_and_seed) {
  const std::string text = "some bytes, more than two words";
  std::set<std::uint64_t> hashes{hash_of(text), hash_of(text, 1)};
  std::size_t n = 2;
  for (std::size_t i = 0; i < text.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      hashes.insert(hash_of(changed));
      ++n;
    }
  for (std::size_t length = 0; length < 24; ++length) {
    hashes.insert(hash_of(std::string(length, '\0')));
    ++n;
  }

  EXPECT_EQ(hashes.size(), n);
}

TEST(HashBytes, starts_at_any_address) {
  const std::string text = "xxx0123456789abcdef";
  const std::string_view view = text;

  EXPECT_EQ(hash_of(view.substr(3)), hash_of("0123456789abcdef"));
}

TEST(HashNumber, one_bit_in_changes_about_half_the_bits_out) {
  int n_changed = 0;
  for (int bit = 0; bit < 64; ++bit)
    n_changed += std::popcount(hash_number(1234, 5) ^ hash_number(1234 ^ (1ull << bit), 5));

  EXPECT_NEAR(n_changed / 64.0, 32, 3);
}

}  // namespace
}  // namespace thalweg
