// SPDX-License-Identifier: MIT
#pragma once

namespace thalweg::flow {

/// A task that does nothing, whatever it is given.
inline constexpr auto nothing = [](auto&&...) {};

}  // namespace thalweg::flow
