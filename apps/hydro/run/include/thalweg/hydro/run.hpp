// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <thalweg/app/checkpoint.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/io/deck.hpp>

namespace thalweg::hydro {

/// All parameters that a deck for gas dynamics may set.
std::vector<io::Parameter> parameters();

/// Say whether the values of a deck go together. @errors throws Error listing all that do not
void check(const io::Deck& deck);

/// Say whether a run may go on from a checkpoint with a deck: only what is declared so may differ
/// from the deck it was written with. @errors throws Error naming each key that must not
void check_restart(const io::Deck& deck, const app::Checkpoint& from);

/// How a run ended that did not fail.
enum class RunEnd {
  finished,
  stopped,  ///< because it was asked to, or out of time; it has left a checkpoint to go on from
};

/// Run a deck: build the mesh, advance to the end, write plotfiles, checkpoints and traces.
/// Collective.
///
/// A checkpoint that cannot be written where nobody waits for it is a warning, and the run goes on.
/// @param context  execution is taken from the deck's section "run", but for picker and sink
/// @param folder   where output goes; exists already; "" writes nothing
/// @param from     what to go on from; none: from the start
/// @pre check(deck) has passed, and check_restart
/// @errors a Failure says what went wrong, perhaps on this rank alone
Result<RunEnd> run(const io::Deck& deck, const app::Context& context, const std::string& folder,
                   const std::optional<app::Checkpoint>& from = {});

/// Say what a run of a deck would take: blocks, cells and zone updates of each level, memory, and
/// how many steps there would be with the first dt. Collective.
///
/// Builds the mesh around the initial data, and so needs their memory, but makes no step.
/// @pre check(deck) has passed
/// @errors throws what app::Simulation throws
std::string estimate(const io::Deck& deck, const app::Context& context);

/// Build the mesh of a deck and look at the graph of its first step, which is not run. Collective.
/// @pre check(deck) has passed
/// @errors throws what app::Simulation throws
void look_at_step(const io::Deck& deck, const app::Context& context,
                  const std::function<void(const flow::Graph&)>& look);

}  // namespace thalweg::hydro
