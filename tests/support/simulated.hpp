// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/app/application.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/app/driver.hpp>
#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/flow/picker.hpp>
#include <thalweg/hydro/application.hpp>
#include <thalweg/hydro/setup.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/io/file_system.hpp>

#include "../../libs/app/test/made.hpp"

namespace thalweg::testing {

using app::testing::made;

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

/// What the decks of these tests are for: gas dynamics alone.
inline const std::vector<app::Application>& applications() {
  static const std::vector<app::Application> all{hydro::application()};
  return all;
}
inline const app::Application& application() {
  return applications().front();
}

/// Load a deck for gas dynamics from its text.
inline io::Deck deck(std::string_view text, const std::vector<std::string>& overrides = {}) {
  return app::load_deck(applications(), text, "test.toml", overrides);
}

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
              .n_workers = run.n_workers,
              .depth = run.depth,
              .grain = run.grain,
              .picker = &picker,
              .checker = run.checker}});
  });
}

/// Run a simulation on virtual ranks and look at it at the end, on each rank.
/// @tparam N  the deck's hydro.scalars
template <int D, int N = 0, class Look>
Result<void> simulate(const io::Deck& deck, const SimulatedRun& run, Look look) {
  io::MemoryFileSystem files;
  const auto setup = hydro::set_up<D, N>(deck);
  return on_virtual_ranks(run, files, [&](const app::Context& context) {
    look(*made(context, setup.problem, setup.settings));
  });
}

}  // namespace thalweg::testing
