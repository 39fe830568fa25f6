// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace thalweg::testing {

/// Bytes that the process holds on the heap, whoever asked for them: libraries as well. Who links
/// this has malloc and all its relatives count; not where sanitizers do that.
std::uint64_t heap_bytes();
/// The most that it held since the last restart_most_heap_bytes().
std::uint64_t most_heap_bytes();
void restart_most_heap_bytes();

}  // namespace thalweg::testing
