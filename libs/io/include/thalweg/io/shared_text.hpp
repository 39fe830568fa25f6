// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace thalweg::io {

/// A stretch of a text that has several writers: the heading, then the lines of one after another.
struct SharedSection {
  std::string heading;  ///< the same for all writers
  std::string lines;    ///< of this writer
};

/// A text as one of its writers knows it; all have the same number of sections.
using SharedText = std::vector<SharedSection>;

}  // namespace thalweg::io
