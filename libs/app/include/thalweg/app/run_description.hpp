// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <thalweg/app/context.hpp>

namespace thalweg::app {

/// With what a run was made, and where: what its deck does not say.
struct RunDescription {
  std::string version;             ///< of Thalweg
  std::string compiler;            ///< with version and kind of build
  std::string mpi;                 ///< library and version
  std::string started;             ///< date and time, UTC, as ISO 8601
  std::string processor;           ///< model, of rank 0; "" where the system does not say
  std::vector<std::string> hosts;  ///< each once, sorted
  std::uint32_t n_cores = 0;       ///< that rank 0 may use; 0: not known
  int n_ranks = 1;
  std::uint32_t n_workers = 1;  ///< of each rank
};

/// Describe this program on these ranks, alike on all of them. Collective.
RunDescription describe_run(const Context& context);

/// The description as members of a JSON object, without its braces.
std::string json_of(const RunDescription& description);

}  // namespace thalweg::app
