// SPDX-License-Identifier: MIT
#pragma once
#include <cstdlib>

namespace thalweg::testing {

/// How many of something a test takes: few each time, many in a campaign (thalweg_add_campaign,
/// ./test --all).
template <class Number>
Number few_or_many(Number few, Number many) {
  return std::getenv("THALWEG_CAMPAIGN") == nullptr ? few : many;
}

}  // namespace thalweg::testing
