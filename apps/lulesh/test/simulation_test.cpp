// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/simulation.hpp>

#include <bit>

#include <gtest/gtest.h>

#include <thalweg/core/hash.hpp>
#include <thalweg/lulesh/settings.hpp>

#include "on_ranks.hpp"

namespace thalweg::lulesh {
namespace {

using testing::Outcome;
using testing::run_on;

std::uint64_t hash_of(const std::vector<double>& energy) {
  std::uint64_t sum = 0;
  for (std::size_t e = 0; e < energy.size(); ++e)
    sum += hash_number(std::bit_cast<std::uint64_t>(energy[e]), e);
  return sum;
}

// Cycles and energies of LULESH 2.0 (commit 3e01c40) with two threads, compiled by g++ with
// -ffp-contract=off: there a node adds up what its elements contribute in their order, too.
TEST(LuleshSimulation, has_the_references_cycles_and_bits) {
  const Outcome five = run_on(1, 5, {});
  ASSERT_EQ(five.error, "");
  EXPECT_EQ(five.n_cycles, 72);
  EXPECT_EQ(five.energy[0], 7853.665102145843);
  EXPECT_EQ(hash_of(five.energy), 0x70a87dcc49384f36U);
  const Outcome ten = run_on(1, 10, {});
  EXPECT_EQ(ten.n_cycles, 231);
  EXPECT_EQ(ten.energy[0], 27205.31168470346);
  EXPECT_EQ(hash_of(ten.energy), 0xc62b717d6dc3df05U);
}

TEST(LuleshSimulation, ends_after_the_cycles_that_it_is_given) {
  const Outcome none = run_on(2, 10, {.last_cycle = 0});
  EXPECT_EQ(none.n_cycles, 0);
  EXPECT_EQ(none.energy[0], initial_energy(10));
  const Outcome ten = run_on(1, 10, {.last_cycle = 10});
  EXPECT_EQ(ten.energy[0], 259676.41955524374);
  EXPECT_EQ(hash_of(ten.energy), 0x9b10d79e5fa94f93U);
  const Outcome hundred = run_on(1, 10, {.last_cycle = 100});
  EXPECT_EQ(hundred.energy[0], 48987.8492971727);
  EXPECT_EQ(hash_of(hundred.energy), 0x910427ebc6b6ee8eU);
}

}  // namespace
}  // namespace thalweg::lulesh
