// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

namespace thalweg {

/// The text as a JSON string, quotes included.
std::string json_string(std::string_view text);

}  // namespace thalweg
