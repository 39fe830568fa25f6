// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace thalweg::testing {

/// How often operator new was called so far, by all threads. Who links this counts.
std::uint64_t n_heap_calls();

}  // namespace thalweg::testing
