// SPDX-License-Identifier: MIT
// leave_program WHO: an exception takes rank 1, or all, out of a session. The others are in a
// barrier with it.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string_view>

#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/flow/collective.hpp>

int main(int argc, char** argv) {
  using namespace thalweg;
  if (argc != 2) return 2;
  try {
    comm::Session session(&argc, &argv);
    comm::MpiTransport transport(session);
    flow::barrier(transport);
    if (std::string_view(argv[1]) == "all" || session.rank() == Rank{1})
      throw std::runtime_error("no table");
    flow::barrier(transport);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "caught: %s\n", error.what());
    return 3;
  }
}
