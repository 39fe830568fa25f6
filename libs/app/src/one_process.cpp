// SPDX-License-Identifier: MIT
#include "one_process.hpp"

#include <fmt/format.h>

#include <thalweg/app/lone_rank.hpp>
#include <thalweg/app/runtime.hpp>
#include <thalweg/comm/launcher.hpp>
#include <thalweg/core/print_errors.hpp>

namespace thalweg::app {

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
