// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>

#include <thalweg/miniamr/run.hpp>

#include "../../../tests/support/proxy_run.hpp"
#include "reference_case.hpp"

namespace thalweg::miniamr::testing {

using thalweg::testing::Printed;

struct Outcome : thalweg::testing::ProxyOutcome<RunFacts> {
  io::MemoryFileSystem files;
};

/// Run on virtual ranks, under a random schedule.
inline std::unique_ptr<Outcome> run_on(int n_ranks, const Options& options,
                                       std::uint64_t seed = 3) {
  auto outcome = std::make_unique<Outcome>();
  app::Execution execution = execution_of(options);
  execution.executor.n_workers = 1;
  thalweg::testing::run_proxy(
      n_ranks, execution, outcome->files, *outcome,
      [&](const app::Context& context) { return run(options, context); }, seed);
  return outcome;
}

}  // namespace thalweg::miniamr::testing
