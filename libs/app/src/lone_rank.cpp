// SPDX-License-Identifier: MIT
#include <thalweg/app/lone_rank.hpp>

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <thalweg/comm/launcher.hpp>
#include <thalweg/core/print_errors.hpp>

namespace thalweg::app {

bool is_one_of_several_ranks() {
  if (comm::n_ranks_started() < 2) return false;
  const std::string rank = comm::rank_started();
  if (rank.empty()) return true;
  std::ifstream file(fmt::format("/proc/{}/environ", ::getppid()), std::ios::binary);
  const std::string of_parent{std::istreambuf_iterator<char>(file), {}};
  return !of_parent.contains(rank + '\0');
}

bool prints_for_all_ranks() {
  const std::string rank = comm::rank_started();
  return rank.empty() || rank.ends_with("=0") || !is_one_of_several_ranks();
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
    print_to_stderr("warning: {}\n", words);
}

}  // namespace thalweg::app
