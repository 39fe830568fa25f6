// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Where to cut a list into n_parts runs of about equal sizes: part i is [cuts[i], cuts[i + 1]).
///
/// No part is empty. A pure function of the list, so that both sides of a message agree.
/// @pre 0 < n_parts <= sizes.size()
std::vector<std::size_t> cut_evenly(std::span<const std::int64_t> sizes, std::size_t n_parts);

}  // namespace thalweg
