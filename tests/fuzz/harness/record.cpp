// SPDX-License-Identifier: MIT
// One line of a manifest made of any bytes, all others right: what is accepted is written as it was
// read. Many times faster than whole checkpoints, and every try gets to the parsers of numbers.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/io/manifest.hpp>

#include "../../../libs/io/test/sample_manifest.hpp"

namespace {

using namespace thalweg;

/// A manifest but for what stands behind one key.
struct Around {
  std::string before;
  std::string after;
};

std::vector<Around> around_each_line() {
  const std::string text = io::to_text(io::testing::sample_manifest());
  std::vector<Around> all;
  std::size_t line = text.find('\n', text.find("length")) + 1;
  for (std::size_t end = text.find('\n', line); text.compare(line, 6, "crc32c") != 0;
       line = end + 1, end = text.find('\n', line)) {
    const std::size_t value = text.find(' ', line) + 1;
    if (value <= end) all.push_back({text.substr(0, value), text.substr(end)});
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Around> lines = around_each_line();
  if (size == 0) return 0;
  const Around& around = lines[data[0] % lines.size()];
  const std::string_view value(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string text = io::testing::resealed(around.before + std::string(value) + around.after);
  const auto manifest = io::parse_manifest(text);
  if (manifest && io::to_text(*manifest) != text) std::abort();
  return 0;
}
