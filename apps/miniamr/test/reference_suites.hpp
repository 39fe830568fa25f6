// SPDX-License-Identifier: MIT
// What suites of whole runs of the reference's cases have in common.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "expect_reference.hpp"
#include "run_on.hpp"

namespace thalweg::miniamr::testing {

/// Cases with so many blocks over all stages: [first, last).
inline std::vector<ReferenceCase> cases_with_blocks(std::int64_t first, std::int64_t last) {
  auto cases = read_reference_cases(REFERENCE_CASES);
  std::erase_if(cases,
                [&](const auto& c) { return c.total_blocks < first || c.total_blocks >= last; });
  return cases;
}
/// Cases with fewer blocks than too many for each day.
inline auto small_cases(std::int64_t too_many) {
  return ::testing::ValuesIn(cases_with_blocks(0, too_many));
}
/// The others.
inline auto large_cases(std::int64_t too_many) {
  return ::testing::ValuesIn(cases_with_blocks(too_many, std::numeric_limits<std::int64_t>::max()));
}

inline std::string name_of(const ::testing::TestParamInfo<ReferenceCase>& test) {
  return test.param.name;
}

}  // namespace thalweg::miniamr::testing
