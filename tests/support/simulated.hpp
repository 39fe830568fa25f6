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
#include "virtual_ranks.hpp"

namespace thalweg::testing {

using app::testing::made;

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
