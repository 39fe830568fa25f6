// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace thalweg::backends {

/// A share in the StarPU of the process.
class Session {
 public:
  /// @errors Error where StarPU does not start or has another number of threads
  explicit Session(std::uint32_t n_threads);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

}  // namespace thalweg::backends
