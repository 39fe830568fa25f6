// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace thalweg {

/// The CRC-32C (Castagnoli) of bytes, continuing from that of the bytes before them.
///
/// Finds every error of up to 32 bits in a row, and any other with probability 1 - 2^-32.
/// @threads safe
/// @source RFC 3720, appendix B.4; slicing: Kounavis and Berry, IEEE ISCC 2005
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0);

/// The CRC-32C of two pieces one after the other, from that of each and the size of the second.
///
/// So ranks that each have seen a part can tell the sum of the whole. @cost O(log n_bytes_b)
std::uint32_t crc32c_combined(std::uint32_t a, std::uint32_t b, std::uint64_t n_bytes_b);

}  // namespace thalweg
