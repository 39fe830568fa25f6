// SPDX-License-Identifier: MIT
#include <thalweg/comm/foreign_request.hpp>

#include <cstring>

#include <thalweg/comm/session.hpp>

namespace thalweg::comm {
namespace {

static_assert(sizeof(MPI_Request) <= sizeof(std::uint64_t), "a request fits into a handle");

bool is_over(std::uint64_t& handle) {
  MPI_Request request;
  std::memcpy(&request, &handle, sizeof request);
  int flag = 0;
  check(MPI_Test(&request, &flag, MPI_STATUS_IGNORE), "test a request");
  std::memcpy(&handle, &request, sizeof request);
  return flag != 0;
}

}  // namespace

flow::Request foreign_request(MPI_Request request) {
  flow::Request foreign{.test = is_over};
  std::memcpy(&foreign.handle, &request, sizeof request);
  return foreign;
}

}  // namespace thalweg::comm
