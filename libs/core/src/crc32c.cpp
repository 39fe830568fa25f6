// SPDX-License-Identifier: MIT
#include <thalweg/core/crc32c.hpp>

#include <array>
#include <bit>
#include <cstring>

namespace thalweg {

namespace {

// The polynomial without x^32, lowest power in the highest bit, as all numbers here.
constexpr std::uint32_t polynomial = 0x82f63b78u;

using Table = std::array<std::uint32_t, 256>;

// tables[k][b]: what byte b does to the sum when k more bytes follow in the same word.
constexpr std::array<Table, 8> make_tables() {
  std::array<Table, 8> tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t sum = b;
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? polynomial : 0);
    tables[0][b] = sum;
  }
  for (std::size_t k = 1; k < tables.size(); ++k)
    for (std::size_t b = 0; b < 256; ++b) {
      const std::uint32_t shorter = tables[k - 1][b];
      tables[k][b] = (shorter >> 8) ^ tables[0][shorter & 0xff];
    }
  return tables;
}

constexpr auto tables = make_tables();

// The product of two polynomials modulo ours.
std::uint32_t product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum = 0;
  for (std::uint32_t bit = 1u << 31; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) sum ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? polynomial : 0);
  }
  return sum;
}

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before) {
  static_assert(std::endian::native == std::endian::little, "words are taken lowest byte first");
  std::uint32_t sum = ~before;
  while (bytes.size() >= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), sizeof(word));
    word ^= sum;
    sum = 0;
    for (std::size_t k = 0; k < 8; ++k) sum ^= tables[7 - k][(word >> (8 * k)) & 0xff];
    bytes = bytes.subspan(8);
  }
  for (const std::byte b : bytes)
    sum = (sum >> 8) ^ tables[0][(sum ^ static_cast<std::uint32_t>(b)) & 0xff];
  return ~sum;
}

std::uint32_t crc32c_combined(std::uint32_t a, std::uint32_t b, std::uint64_t n_bytes_b) {
  // The first piece is followed by n bytes, so its sum is multiplied by x^(8n).
  std::uint32_t power = 1u << 23;  // x^8
  std::uint32_t shift = 1u << 31;  // 1
  for (; n_bytes_b != 0; n_bytes_b >>= 1) {
    if ((n_bytes_b & 1) != 0) shift = product(shift, power);
    power = product(power, power);
  }
  return product(shift, a) ^ b;
}

}  // namespace thalweg
