// SPDX-License-Identifier: MIT
#pragma once
#include <charconv>
#include <cstdint>
#include <cstring>

namespace thalweg::bench {

/// Read a number of a command line; 0 where it is none.
inline std::uint32_t number(const char* text) {
  std::uint32_t value = 0;
  std::from_chars(text, text + std::strlen(text), value);
  return value;
}

}  // namespace thalweg::bench
