// SPDX-License-Identifier: MIT
#include <thalweg/comm/library.hpp>

namespace thalweg::comm {

std::string library_version() {
  return "no MPI (THALWEG_MPI=OFF)";
}

std::string thread_level() {
  return "";
}

}  // namespace thalweg::comm
