// SPDX-License-Identifier: MIT
#pragma once
#include <mpi.h>

namespace thalweg::comm {

/// A communicator with ranks of another one, and messages of its own.
class Communicator {
 public:
  /// Of the same ranks as another.
  explicit Communicator(MPI_Comm like);
  /// Of those ranks of another that share memory with this one.
  static Communicator of_compute_node(MPI_Comm all);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  MPI_Comm get() const { return comm_; }

 private:
  struct Made {
    MPI_Comm handle;
  };
  explicit Communicator(Made made);

  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace thalweg::comm
