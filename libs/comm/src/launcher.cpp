// SPDX-License-Identifier: MIT
#include <thalweg/comm/launcher.hpp>

#include <cstdlib>
#include <initializer_list>

namespace thalweg::comm {
namespace {

/// What a launcher calls in the environment how many ranks there are, and which this one is.
struct Launcher {
  const char* n_ranks;
  const char* rank;
};

struct Started {
  int n_ranks = 0;
  const char* rank = "";  ///< the name of the variable
};

Started started() {
  for (const auto& [n_ranks, rank] :
       std::initializer_list<Launcher>{{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                       {"PMI_SIZE", "PMI_RANK"},
                                       {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}})
    if (const char* const value = std::getenv(n_ranks))
      if (const int n = std::atoi(value); n > 0) return {n, rank};
  return {};
}

}  // namespace

int n_ranks_started() {
  return started().n_ranks;
}

std::string rank_started() {
  const std::string name = started().rank;
  const char* const value = name.empty() ? nullptr : std::getenv(name.c_str());
  return value == nullptr ? "" : name + "=" + value;
}

}  // namespace thalweg::comm
