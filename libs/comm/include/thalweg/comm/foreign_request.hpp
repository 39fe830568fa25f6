// SPDX-License-Identifier: MIT
#pragma once
#include <mpi.h>

#include <thalweg/flow/transport.hpp>

namespace thalweg::comm {

/// An MPI request that someone else has made, for TaskContext::bind() and wait(): a non-blocking
/// operation of any kind on any communicator. It is freed when it is over.
///
/// A task begins the operation inside TaskContext::with_transport(), because the threads of a rank
/// are inside MPI in turns (MPI_THREAD_SERIALIZED).
/// @errors testing it throws RankError where MPI reports one
flow::Request foreign_request(MPI_Request request);

}  // namespace thalweg::comm
