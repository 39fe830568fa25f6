// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/random.hpp>

namespace thalweg::taskbench {
namespace {

/// The 8 bytes at a place, or fewer, as a little-endian number.
std::uint64_t word(const std::byte* bytes, std::size_t n = 8) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < n; ++i) value |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  return value;
}

/// The four words that SipHash mixes; names as in the paper, fig. 2.1.
struct SipState {
  std::uint64_t v0, v1, v2, v3;

  void round() {
    v0 += v1, v2 += v3;
    v1 = std::rotl(v1, 13) ^ v0;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 = std::rotl(v0, 32);
    v2 += v1, v0 += v3;
    v1 = std::rotl(v1, 17) ^ v2;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 = std::rotl(v2, 32);
  }
  void compress(std::uint64_t m) {
    v3 ^= m;
    round(), round();
    v0 ^= m;
  }
};

}  // namespace

std::uint64_t siphash(std::span<const std::byte> bytes, const HashKey& key) {
  const std::uint64_t k0 = word(key.data()), k1 = word(key.data() + 8);
  SipState s{k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du, k0 ^ 0x6c7967656e657261u,
             k1 ^ 0x7465646279746573u};
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) s.compress(word(bytes.data() + i));
  s.compress(word(bytes.data() + i, bytes.size() - i) | std::uint64_t{bytes.size()} << 56);
  s.v2 ^= 0xff;
  for (int r = 0; r < 4; ++r) s.round();
  return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

double random_uniform(std::span<const long> numbers) {
  HashKey key{};
  for (int i = 0; i < 15; ++i) key[static_cast<std::size_t>(i)] = static_cast<std::byte>(i + 1);
  return static_cast<double>(siphash(std::as_bytes(numbers), key)) * 0x1p-64;
}

}  // namespace thalweg::taskbench
