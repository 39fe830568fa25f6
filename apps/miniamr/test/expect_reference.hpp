// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/miniamr/measured.hpp>

#include "reference_case.hpp"

namespace thalweg::miniamr::testing {

/// With these a run has the reference's meshes, says what they are, and ends where a variable's sum
/// changes by more than a few roundings from one check to the next.
inline const std::string as_the_reference =
    "--compat --fingerprint --error_tol 13 --report_perf 4 ";

/// How far sums may go in a whole run, relative: as far as from one check to the next.
constexpr double drift = 1e-13;
/// The reference adds up cells one after another: its own sums on other grids differ by as much.
constexpr double roundings_of_reference = 1e-12;

/// Expect that a run of a case came to what the reference's came to, to the last bit.
/// @param field  the hash of the field at the end
inline void expect_reference(const ReferenceCase& c, const std::string& field,
                             const std::string& printed, const RunFacts& facts) {
  std::string said;
  for (const ReferenceMesh& mesh : c.meshes)
    said += fmt::format("mesh {} {:016x}\n", mesh.step, mesh.hash);
  said += fmt::format("field {}\n", field);
  EXPECT_EQ(printed.substr(0, said.size()), said);
  EXPECT_EQ(facts.n_flops(), static_cast<double>(c.n_flops));
  EXPECT_EQ(facts.total_blocks, c.total_blocks);
  ASSERT_EQ(facts.checksums.size(), facts.first_checksums.size());
  for (std::size_t v = 0; v < facts.checksums.size(); ++v) {
    const double first = facts.first_checksums[v];
    EXPECT_LE(std::abs(facts.checksums[v] - first), drift * first) << "variable " << v;
  }
}

/// Expect the sums of variables that the reference ends with, where it begins with the same field.
inline void expect_sums(const ReferenceCase& c, const RunFacts& facts) {
  ASSERT_EQ(facts.checksums.size(), c.sums.size());
  for (std::size_t v = 0; v < c.sums.size(); ++v)
    EXPECT_LE(std::abs(facts.checksums[v] - c.sums[v]), roundings_of_reference * c.sums[v])
        << "variable " << v;
}

}  // namespace thalweg::miniamr::testing
