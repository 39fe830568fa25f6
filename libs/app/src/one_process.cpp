// SPDX-License-Identifier: MIT
#include "one_process.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include <thalweg/app/runtime.hpp>
#include <thalweg/comm/launcher.hpp>
#include <thalweg/core/print_errors.hpp>

namespace thalweg::app {

namespace {

/// Whether what has started this process as one of several ranks did so itself. A program that a
/// rank starts, as a run's report starts this one, inherits the rank's environment and is none: MPI
/// must not be started there. It is known by its parent, which has the same in its environment.
bool is_one_of_several_ranks() {
  if (comm::n_ranks_started() < 2) return false;
  std::ifstream file(fmt::format("/proc/{}/environ", ::getppid()), std::ios::binary);
  const std::string of_parent{std::istreambuf_iterator<char>(file), {}};
  return std::ranges::none_of(
      std::array{"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}, [&](const char* name) {
        const char* const rank = std::getenv(name);
        return rank != nullptr && of_parent.contains(fmt::format("{}={}", name, rank) + '\0');
      });
}

}  // namespace

bool is_refused_on_several_ranks(std::string_view command) {
  if (!is_one_of_several_ranks()) return false;
  // With MPI, so that none of them ends, and has mpirun end the others, before that is said.
  const Runtime runtime(nullptr, nullptr);
  if (runtime.rank() == Rank{0})
    print_errors(fmt::format("{} on {} ranks (each would do all of it); start it without mpirun",
                             command, comm::n_ranks_started()));
  return true;
}

}  // namespace thalweg::app
