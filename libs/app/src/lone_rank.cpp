// SPDX-License-Identifier: MIT
#include <thalweg/app/lone_rank.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <thalweg/comm/launcher.hpp>

namespace thalweg::app {

bool is_one_of_several_ranks() {
  if (comm::n_ranks_started() < 2) return false;
  // What counts is what n_ranks_started goes by: an mpirun in a shell of a job's step has its rank.
  constexpr std::array names{std::pair{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                             std::pair{"PMI_SIZE", "PMI_RANK"},
                             std::pair{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};
  const auto launcher =
      std::ranges::find_if(names, [](const auto& n) { return std::getenv(n.first) != nullptr; });
  const char* const rank = launcher == names.end() ? nullptr : std::getenv(launcher->second);
  if (rank == nullptr) return true;
  std::ifstream file(fmt::format("/proc/{}/environ", ::getppid()), std::ios::binary);
  const std::string of_parent{std::istreambuf_iterator<char>(file), {}};
  return !of_parent.contains(fmt::format("{}={}", launcher->second, rank) + '\0');
}

std::string words_of_lone_rank(int n_ranks) {
  if (n_ranks > 1 || !is_one_of_several_ranks()) return "";
  return fmt::format(
      "{} ranks were started (each is alone: the mpirun is not of the MPI that the program was "
      "built with, or it was built without); take the mpirun of this MPI, or build with the other "
      "one",
      comm::n_ranks_started());
}

void warn_of_lone_rank(int n_ranks) {
  if (const auto words = words_of_lone_rank(n_ranks); !words.empty())
    fmt::print(stderr, "warning: {}\n", words);
}

}  // namespace thalweg::app
