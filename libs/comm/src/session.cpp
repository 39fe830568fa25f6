// SPDX-License-Identifier: MIT
#include <thalweg/comm/session.hpp>

#include <string>

#include <thalweg/core/error.hpp>

namespace thalweg::comm {

void check(int code, const char* doing) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int size = 0;
  MPI_Error_string(code, text, &size);
  throw Error("cannot " + std::string(doing) +
              " (MPI says: " + std::string(text, static_cast<std::size_t>(size)) + ")");
}

Session::Session(int* argc, char*** argv) {
  int provided = MPI_THREAD_SINGLE;
  check(MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided), "start MPI");
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "set MPI's error handler");
  if (provided < MPI_THREAD_SERIALIZED) {
    MPI_Finalize();
    throw Error("this MPI gives thread level " + std::to_string(provided) +
                " (workers take turns in MPI, so MPI_THREAD_SERIALIZED = " +
                std::to_string(MPI_THREAD_SERIALIZED) + " is needed); use another build of MPI");
  }
  int rank = 0;
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "ask for the rank");
  check(MPI_Comm_size(MPI_COMM_WORLD, &n_ranks_), "ask for the number of ranks");
  rank_ = Rank(rank);
}

Session::~Session() {
  MPI_Finalize();
}

}  // namespace thalweg::comm
