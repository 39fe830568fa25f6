// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <thalweg/app/any_simulation.hpp>
#include <thalweg/app/application.hpp>
#include <thalweg/app/checkpoint.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/io/deck.hpp>

namespace thalweg::app {

/// What of a run of a deck may not be meant so, a sentence each, the same on all ranks. Collective.
/// @param from  where it goes on; null: from the start
std::vector<std::string> warnings_at_start(const io::Deck& deck, const AnySetup& setup,
                                           const AnySimulation& simulation, const Context& context,
                                           const Checkpoint* from);

}  // namespace thalweg::app
