// SPDX-License-Identifier: MIT
#include <thalweg/comm/communicator.hpp>

#include <thalweg/comm/session.hpp>

namespace thalweg::comm {
namespace {

MPI_Comm duplicate(MPI_Comm like) {
  MPI_Comm comm = MPI_COMM_NULL;
  check(MPI_Comm_dup(like, &comm), "duplicate a communicator");
  return comm;
}

}  // namespace

Communicator::Communicator(Made made) : comm_(made.handle) {
  check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "set MPI's error handler");
}

Communicator::Communicator(MPI_Comm like) : Communicator(Made{duplicate(like)}) {}

Communicator Communicator::of_compute_node(MPI_Comm all) {
  MPI_Comm comm = MPI_COMM_NULL;
  check(MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm),
        "find the ranks of this compute node");
  return Communicator(Made{comm});
}

Communicator::~Communicator() {
  MPI_Comm_free(&comm_);
}

}  // namespace thalweg::comm
