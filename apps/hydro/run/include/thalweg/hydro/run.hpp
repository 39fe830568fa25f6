// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <string>
#include <vector>

#include <thalweg/app/context.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/io/deck.hpp>

namespace thalweg::hydro {

/// All parameters that a deck for gas dynamics may set.
std::vector<io::Parameter> parameters();

/// Say whether the values of a deck go together. @errors throws Error listing all that do not
void check(const io::Deck& deck);

/// Run a deck: build the mesh, advance to the end, write plotfiles and traces. Collective.
///
/// @param context  execution is taken from the deck's section "run", but for picker and sink
/// @param folder   where output goes; exists already; "" writes nothing
/// @pre check(deck) has passed
/// @errors a Failure says what went wrong, perhaps on this rank alone
Result<void> run(const io::Deck& deck, const app::Context& context, const std::string& folder);

/// Build the mesh of a deck and look at the graph of its first step, which is not run. Collective.
/// @pre check(deck) has passed
/// @errors throws what app::Simulation throws
void look_at_step(const io::Deck& deck, const app::Context& context,
                  const std::function<void(const flow::Graph&)>& look);

}  // namespace thalweg::hydro
