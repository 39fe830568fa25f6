// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "../support/simulated.hpp"

namespace thalweg::testing {

/// Load a deck of those that come with the program, smaller by overrides.
inline io::Deck shipped_deck(const std::string& name, const std::vector<std::string>& overrides) {
  const io::PosixFileSystem files;
  const auto text = io::read_text(files, std::string(THALWEG_DECKS) + "/" + name);
  EXPECT_TRUE(text) << text.error().message;
  return deck(text.value_or(""), overrides);
}

/// Run a shipped deck to its end, and look at the simulation.
template <int D, class Look>
void run_deck(const std::string& name, const std::vector<std::string>& overrides, Look look,
              const SimulatedRun& run = {}) {
  const auto done = simulate<D>(shipped_deck(name, overrides), run, [&](auto& simulation) {
    const auto advanced = simulation.advance_to(1'000'000);
    ASSERT_TRUE(advanced) << advanced.error().message;
    look(simulation);
  });
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace thalweg::testing
