// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace thalweg::io {

/// Whether two paths are those of one file, which need not be there: also by links, or by ways
/// through other folders. @errors none: what cannot be looked at is compared by its name
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace thalweg::io
