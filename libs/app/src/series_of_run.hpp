// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

#include <thalweg/step/time_control.hpp>

namespace thalweg::app {

/// Say what speaks against a series, as a table in a text, being that of a run which was at a
/// moment: a line whose time does not go with its step. Nothing, if none does. A series has no name
/// of its run, as it has the same bytes for any ranks.
std::string objection_to_series(std::string_view text, const step::TimeState& at);

}  // namespace thalweg::app
