// SPDX-License-Identifier: MIT
// A deck and an override made of any bytes: an Error, or a deck that is written and read back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/io/deck.hpp>

namespace {

using namespace thalweg;

// One of each type.
std::vector<io::Parameter> parameters() {
  return {
      {.name = "problem.name", .default_value = "sod", .choices = {"sod", "sedov"}},
      {.name = "problem.gamma", .default_value = 1.4, .range = io::Range::above(1)},
      {.name = "problem.centre", .default_value = std::vector<double>{0, 0, 0}, .length = {1, 3}},
      {.name = "mesh.dim", .default_value = std::int64_t{3}, .range = io::Range::between(1, 3)},
      {.name = "mesh.root_blocks",
       .default_value = std::vector<std::int64_t>{1, 1, 1},
       .length = {1, 3}},
      {.name = "mesh.adapts", .default_value = true},
      {.name = "boundary.lower",
       .default_value = std::vector<std::string>{"outflow"},
       .choices = {"periodic", "outflow"}},
      {.name = "output.folder", .default_value = "out"}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(all.find('\0'), all.size());
  std::vector<std::string> overrides;
  if (end < all.size()) overrides.emplace_back(all.substr(end + 1));
  const auto declared = parameters();
  try {
    const auto deck = io::Deck::load(all.substr(0, end), "deck", declared, overrides);
    const std::string text = deck.to_toml();
    if (io::Deck::load(text, "again", declared).to_toml() != text) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
