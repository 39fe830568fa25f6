// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace thalweg::taskbench {

/// The key of a hash.
using HashKey = std::array<std::byte, 16>;

/// Hash bytes into 64 bits with SipHash-2-4.
/// @source Aumasson and Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012
std::uint64_t siphash(std::span<const std::byte> bytes, const HashKey& key);

/// A number in [0, 1] that depends on nothing but these numbers, in Task Bench's way.
///
/// So random graphs and imbalances are the same as there.
double random_uniform(std::span<const long> numbers);

}  // namespace thalweg::taskbench
