// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <span>

namespace thalweg::predict {

/// Call some functions, up to so many at once, each in one of as many threads. Returns when all
/// have ended.
/// @errors throws what the first of them in their order threw
void call_at_once(std::size_t n_threads, std::span<const std::function<void()>> calls);

}  // namespace thalweg::predict
