// SPDX-License-Identifier: MIT
#pragma once
#include <unistd.h>

#include <string>

namespace thalweg::app {

/// The name of this machine; empty where the system does not say.
inline std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace thalweg::app
