// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace thalweg::trace {

/// The field of a Perfetto packet that holds our record: beyond all that Perfetto uses or reserves,
/// so that its readers skip it.
inline constexpr std::uint32_t record_field = 54'101;

}  // namespace thalweg::trace
