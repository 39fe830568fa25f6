// SPDX-License-Identifier: MIT
#include <thalweg/comm/launcher.hpp>

#include <cstdlib>
#include <initializer_list>

namespace thalweg::comm {

int n_ranks_started() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
    if (const char* const value = std::getenv(name))
      if (const int n = std::atoi(value); n > 0) return n;
  return 0;
}

}  // namespace thalweg::comm
