// SPDX-License-Identifier: MIT
// Stands in for otf2.cpp where the library is not there.
#include <thalweg/trace/otf2.hpp>

namespace thalweg::trace {

Result<void> write_otf2(const std::string& /*folder*/, std::span<const RankTrace> /*traces*/) {
  return std::unexpected(
      Failure{"cannot write OTF2 (this program was built without the library); install "
              "libopen-trace-format2-dev and configure again"});
}

}  // namespace thalweg::trace
