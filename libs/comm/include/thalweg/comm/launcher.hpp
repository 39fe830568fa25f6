// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace thalweg::comm {

/// How many ranks there are, as the program says that has started this one: the mpirun of Open MPI
/// or MPICH, or Slurm's srun. 0: none has. MPI may know of fewer, where it is not of that mpirun.
/// @threads no other may write the environment meanwhile
int n_ranks_started();

/// Which of them this one is, in the environment of that program: NAME=RANK; "" where it does not
/// say. @threads as above
std::string rank_started();

}  // namespace thalweg::comm
