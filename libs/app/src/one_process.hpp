// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace thalweg::app {

/// Whether a command that one process does is refused, as it was started on several ranks, which
/// would each answer, or write over each other's files; then that is said once, and this process
/// is to end. Collective, where there are several.
/// @param command  its name
bool is_refused_on_several_ranks(std::string_view command);

}  // namespace thalweg::app
