// SPDX-License-Identifier: MIT
#include "coarser_decks.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>

namespace thalweg::app {
namespace {

using Integers = std::vector<std::int64_t>;

// What makes a mesh coarser.
struct Mesh {
  Integers block_cells, root_blocks, ratio;
  std::int64_t max_level = 0;
};

// Halve all numbers, if they stay whole and large enough.
bool halve(Integers& numbers, std::int64_t least) {
  const auto has_half = [least](std::int64_t n) { return n % 2 == 0 && n / 2 >= least; };
  if (!std::ranges::all_of(numbers, has_half)) return false;
  for (std::int64_t& n : numbers) n /= 2;
  return true;
}

// Make the mesh coarser in the way that changes least; false where there is none.
bool coarsen(Mesh& mesh) {
  constexpr std::int64_t least_cells = 8;
  if (halve(mesh.block_cells, least_cells)) return true;
  if (mesh.max_level == 0) return halve(mesh.root_blocks, 1);
  --mesh.max_level;
  // A list has a ratio for each level but the finest; one number stands for all.
  if (std::ssize(mesh.ratio) > std::max<std::int64_t>(mesh.max_level, 1))
    mesh.ratio.resize(static_cast<std::size_t>(std::max<std::int64_t>(mesh.max_level, 1)));
  return true;
}

}  // namespace

std::vector<io::Deck> coarser_decks(const Application& application, const io::Deck& deck) {
  std::vector<io::Deck> decks;
  if (!deck.is_declared("mesh.max_level")) return decks;
  Mesh mesh{deck.integers("mesh.block_cells"), deck.integers("mesh.root_blocks"),
            deck.integers("mesh.ratio"), deck.integer("mesh.max_level")};
  const std::string text = deck.to_toml();
  while (coarsen(mesh)) {
    const std::vector<std::string> overrides{
        fmt::format("mesh.block_cells=[{}]", joined_text(mesh.block_cells)),
        fmt::format("mesh.root_blocks=[{}]", joined_text(mesh.root_blocks)),
        fmt::format("mesh.ratio=[{}]", joined_text(mesh.ratio)),
        fmt::format("mesh.max_level={}", mesh.max_level)};
    try {
      auto coarser = load_deck(std::span(&application, 1), text, "the deck", overrides);
      set_up(application, coarser);
      decks.push_back(std::move(coarser));
    } catch (const Error&) {  // a problem that does not go with such a mesh
      return decks;
    }
  }
  return decks;
}

}  // namespace thalweg::app
