// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>

#include <thalweg/app/context.hpp>
#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/flow/access_checker.hpp>
#include <thalweg/flow/model.hpp>
#include <thalweg/flow/picker.hpp>
#include <thalweg/io/file_system.hpp>

namespace thalweg::testing {

/// How a program runs on virtual ranks.
struct SimulatedRun {
  int n_ranks = 1;
  std::uint64_t seed = 0;
  flow::Model model = flow::Model::dataflow;
  std::uint32_t depth = 2;
  std::uint32_t grain = 1;
  std::uint32_t n_workers = 1;
  flow::AccessChecker* checker = nullptr;
};

/// Run a program on virtual ranks that share a file system; each task is picked by the seed.
inline Result<void> on_virtual_ranks(const SimulatedRun& run, io::FileSystem& files,
                                     const std::function<void(const app::Context&)>& program) {
  comm::SimNetwork network({.n_ranks = run.n_ranks, .seed = run.seed});
  return network.run([&](flow::Transport& transport) {
    flow::UniformPicker picker(run.seed * 1024 + transport.rank()());
    Logger log(nullptr, transport.rank());
    program({transport,
             network.clock(),
             files,
             log,
             {.model = run.model,
              .grain = run.grain,
              .executor = {.n_workers = run.n_workers,
                           .depth = run.depth,
                           .picker = &picker,
                           .checker = run.checker}}});
  });
}

}  // namespace thalweg::testing
