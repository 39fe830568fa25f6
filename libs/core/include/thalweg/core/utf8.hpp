// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string_view>

namespace thalweg {

/// Length in bytes of the UTF-8 character that a text begins with; 0 if it is none.
/// @pre the text is not empty
std::size_t utf8_length(std::string_view text);

}  // namespace thalweg
