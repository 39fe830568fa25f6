// SPDX-License-Identifier: MIT
#include <thalweg/core/host_name.hpp>

#include <unistd.h>

namespace thalweg {

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace thalweg
