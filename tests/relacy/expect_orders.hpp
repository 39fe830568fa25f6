// SPDX-License-Identifier: MIT
#pragma once
#include <gtest/gtest.h>

#include <iostream>

#include "check.hpp"

namespace thalweg::testing {

/// All schedules of all models are right; and with any memory order made weaker, some model that
/// asks for it goes wrong.
inline void expect_orders_are_needed(const std::vector<Exploration>& explorations) {
  struct Explored {
    const Exploration* exploration;
    std::vector<Mutant> mutants;
  };
  std::vector<Explored> explored;
  std::vector<Mutant> mutants;
  for (const Exploration& exploration : explorations) {
    const Weakening none;
    const auto wrong = first_wrong(exploration);
    ASSERT_FALSE(wrong) << exploration.name << ": " << wrong->history;
    explored.push_back({&exploration, none.mutants()});
    for (const Mutant& mutant : none.mutants())
      if (!contains(mutants, mutant)) mutants.push_back(mutant);
  }

  for (const Mutant& mutant : mutants) {
    const Weakening weakening(mutant);
    bool is_caught = false;
    for (const Explored& e : explored) {
      if (is_caught || !contains(e.mutants, mutant)) continue;
      const auto wrong = first_wrong(*e.exploration);
      is_caught = wrong.has_value();
      if (wrong)
        std::cout << mutant.text() << ": " << wrong->what << " (" << e.exploration->name << ")\n";
    }
    EXPECT_TRUE(is_caught) << mutant.text() << " is caught by no model that comes by there";
  }
  EXPECT_FALSE(mutants.empty());
}

}  // namespace thalweg::testing
