// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace thalweg::testing {

/// How often operator new was called so far, by all threads. Who links this counts.
std::uint64_t n_heap_calls();

/// Let one call throw std::bad_alloc: the n-th from here on, 1 the next; 0 for none.
void fail_heap_call(std::uint64_t n);

}  // namespace thalweg::testing
