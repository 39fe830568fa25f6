// SPDX-License-Identifier: MIT
#include <thalweg/comm/library.hpp>

#include <mpi.h>

#include <array>
#include <string_view>

namespace thalweg::comm {

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string_view all(text.data(), static_cast<std::size_t>(length));
  return std::string(all.substr(0, all.find_first_of(",\n")));
}

}  // namespace thalweg::comm
