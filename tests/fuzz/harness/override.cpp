// SPDX-License-Identifier: MIT
// One "key=value" of a command line made of any bytes: an Error, or a value that is written as TOML
// and read back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/io/deck.hpp>

namespace {

using namespace thalweg;

// A number and a list of texts: what else there is, the fuzzer of whole decks has.
std::vector<io::Parameter> parameters() {
  return {{.name = "a.x", .default_value = 1.5, .range = io::Range::above(1)},
          {.name = "a.s", .default_value = std::vector<std::string>{"out"}, .length = {0, 3}}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<io::Parameter> declared = parameters();
  const std::vector<std::string> given{std::string(reinterpret_cast<const char*>(data), size)};
  try {
    const auto deck = io::Deck::load("", "deck", declared, given);
    if (!(deck.real("a.x") > 1) || deck.strings("a.s").size() > 3) std::abort();
    const std::string text = deck.to_toml();
    if (io::Deck::load(text, "again", declared).to_toml() != text) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
