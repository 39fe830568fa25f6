// SPDX-License-Identifier: MIT
#include <cstring>

#include <thalweg/core/hash.hpp>

namespace thalweg {

// Each word is mixed by the finaliser of SplitMix64 (see random.hpp), a bijection of 64 bits, so
// that two inputs of one length that differ in a single word never collide.
std::uint64_t hash_number(std::uint64_t number, std::uint64_t seed) {
  std::uint64_t z = (seed ^ number) + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed) {
  std::uint64_t h = hash_number(bytes.size(), seed);
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    h = hash_number(word, h);
  }
  if (i < bytes.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, bytes.size() - i);
    h = hash_number(word, h);
  }
  return h;
}

}  // namespace thalweg
