// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/advection/application.hpp>
#include <thalweg/app/application.hpp>
#include <thalweg/app/simulation.hpp>
#include <thalweg/induction/application.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/shallow_water/application.hpp>
#include <thalweg/vlasov/application.hpp>

#include "../support/simulated.hpp"

namespace thalweg::testing {

/// All applications of the program.
inline const std::vector<app::Application>& all_applications() {
  static const std::vector<app::Application> all{hydro::application(), advection::application(),
                                                 shallow_water::application(),
                                                 induction::application(), vlasov::application()};
  return all;
}

/// A deck that comes with an application, changed by overrides.
inline io::Deck application_deck(const std::string& path,
                                 const std::vector<std::string>& overrides = {}) {
  const io::PosixFileSystem files;
  const auto text = io::read_text(files, std::string(THALWEG_APPS) + "/" + path);
  EXPECT_TRUE(text) << text.error().message;
  return app::load_deck(all_applications(), text.value_or(""), path, overrides);
}

/// Run a deck to its end and look at the simulation of this scheme, on each rank.
template <class Scheme, class Look>
void run_application(const io::Deck& deck, const SimulatedRun& run, Look look) {
  io::MemoryFileSystem files;
  const auto& application = app::application_of(all_applications(), deck);
  const auto done = on_virtual_ranks(run, files, [&](const app::Context& context) {
    const auto made = application.set_up(deck)->simulation(context, nullptr, {});
    ASSERT_TRUE(made) << made.error().message;
    auto& simulation = dynamic_cast<app::Simulation<Scheme>&>(**made);
    const auto before = simulation.totals();
    const auto advanced = simulation.advance_to(1'000'000);
    ASSERT_TRUE(advanced) << advanced.error().message;
    look(simulation, before);
  });
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace thalweg::testing
