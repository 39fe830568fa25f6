// SPDX-License-Identifier: MIT
#include <thalweg/comm/library.hpp>

#include <mpi.h>

#include <array>
#include <string_view>

#include <thalweg/comm/session.hpp>

namespace thalweg::comm {

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string_view all(text.data(), static_cast<std::size_t>(length));
  return std::string(all.substr(0, all.find_first_of(",\n")));
}

std::string thread_level() {
  int level = MPI_THREAD_SINGLE;
  check(MPI_Query_thread(&level), "ask for the level of threads");
  switch (level) {
    case MPI_THREAD_SINGLE:
      return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED:
      return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED:
      return "MPI_THREAD_SERIALIZED";
    default:
      return "MPI_THREAD_MULTIPLE";
  }
}

}  // namespace thalweg::comm
