// SPDX-License-Identifier: MIT
// The words behind one key of a manifest made of any bytes: an error, or numbers that are read back
// when they are written. What each try of a whole manifest gets to last, and nothing around it.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/core/joined_text.hpp>

#include "../../../libs/io/src/line_reader.hpp"

namespace {

using thalweg::io::detail::LineReader;

template <class T>
void read_back(std::string_view text) {
  LineReader lines(text);
  const std::vector<T> numbers = lines.numbers<T>("key");
  if (!lines.error().empty()) return;
  const std::string again = fmt::format("key {}\n", thalweg::joined_text(numbers, " "));
  if (LineReader(again).numbers<T>("key") != numbers) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string text = "key ";
  text.append(reinterpret_cast<const char*>(data) + 1, size - 1).append("\n");
  switch (data[0] % 4) {
    case 0:
      read_back<std::int64_t>(text);
      break;
    case 1:
      read_back<double>(text);
      break;
    case 2:
      read_back<std::uint64_t>(text);
      break;
    default: {
      // A length in hexadecimal, then so many bytes.
      LineReader lines(text);
      if (const auto n = lines.number<std::uint32_t>("key", 16); lines.bytes(n).size() > n)
        std::abort();
    }
  }
  return 0;
}
