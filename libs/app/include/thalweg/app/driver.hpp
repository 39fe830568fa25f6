// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>

#include <thalweg/app/any_simulation.hpp>
#include <thalweg/app/application.hpp>
#include <thalweg/app/checkpoint_target.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/app/deck_run.hpp>
#include <thalweg/app/run_description.hpp>
#include <thalweg/app/virtual_program.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/io/deck.hpp>

namespace thalweg::app {

// What `thalweg run` does with an application and a deck that load_deck has loaded for it.

/// Say whether the values of a deck go together. @errors throws Error listing all that do not
void check(const Application& application, const io::Deck& deck);

/// Say whether the cells of level 0, and the room for a trace, are within what a rank may take:
/// numbers are looked at before any memory is.
/// @param memory_bytes  of a rank, where the deck does not say; 0: nobody knows
/// @pre check(application, deck) has passed
/// @errors throws Error with what it would take
void check_size(const Application& application, const io::Deck& deck, int n_ranks,
                std::size_t memory_bytes);

/// Say whether the mesh around the initial data would be within what the ranks may take, as far as
/// samples of it tell: a deep one is refused at once, not when memory is full.
/// @param memory_bytes  of a rank, where the deck does not say; 0: nobody knows
/// @pre check_size(application, deck, ...) has passed
/// @errors throws Error with what it would take
void check_start(const Application& application, const io::Deck& deck, int n_ranks,
                 std::size_t memory_bytes);

/// Say whether a run may go on from a checkpoint with a deck: only what is declared so may differ
/// from the deck it was written with.
/// @errors throws Error naming each key that must not, or as set_up(application, deck) does
void check_restart(std::span<const Application> applications, const io::Deck& deck,
                   const Checkpoint& from);

/// Make sure that a run which goes on has the functions of whole blocks that the one before had;
/// returns a warning if it lacks those for tags, else "".
/// @param functions  those that it has: tags, source, initial, longest_dt
/// @errors  throws Error where it lacks a source, or an initial state that new blocks ask for
std::string check_functions(const Checkpoint& from, std::span<const std::string> functions,
                            const AnySetup& setup);

/// How graphs are to be run, from a deck's section "run".
Execution execution_of(const io::Deck& deck);

/// What plotfiles have, from a deck's section "output": all cells.
PlotRequest plot_request_of(const io::Deck& deck, std::string path);

/// Run a deck: build the mesh, advance to the end, write plotfiles, checkpoints and traces.
/// Collective.
///
/// What cannot be written is a warning, and the run goes on: a checkpoint where nobody waits for
/// it, and, as output.on_failure says, a plotfile or a line of the series.
/// @param context  how to run, see execution_of; its requests are asked between steps
/// @param folder   where output goes; exists already; "" writes nothing
/// @param from     what to go on from; none: from the start
/// @param description  what the log says of program and machine; none: nothing
/// @pre check(application, deck) has passed, and check_restart
/// @errors as Simulation::make; a Failure says what went wrong, perhaps on this rank
/// alone
[[nodiscard]] Result<RunEnd> run(const Application& application, const io::Deck& deck,
                                 const Context& context, const std::string& folder,
                                 const std::optional<Checkpoint>& from = {},
                                 const std::optional<RunDescription>& description = {});

/// Say what a large mesh would take at least, by samples of the initial data: an answer within a
/// second, where `estimate` takes longer. "" of a mesh below 128 MiB, or one that is not known.
/// @pre check_start(application, deck, ...) has passed
std::string first_estimate(const Application& application, const io::Deck& deck);

/// Say what a run of a deck would take: blocks, cells and zone updates of each level and memory;
/// then how many steps there would be, by the first of them and by a whole run on a coarser mesh,
/// which are made where they take seconds: see try_steps and steps_left. Collective.
///
/// Builds the mesh around the initial data, or of the checkpoint, and so needs its memory.
/// @param from  where the run would go on: steps are those that are left
/// @param say  hears each as soon as it is known, on all ranks
/// @pre check(application, deck) has passed   @errors as AnySetup::simulation
[[nodiscard]] Result<void> estimate(const Application& application, const io::Deck& deck,
                                    const Context& context, const std::optional<Checkpoint>& from,
                                    const std::function<void(const std::string&)>& say);

/// Look at the graph of a deck's first step, which is not run, and at what this rank would take.
/// Cells take no memory, and nobody waits for other ranks once there is a graph. Collective.
/// @param wanted  what AnySetup::wanted_blocks says, of all ranks that it was asked on
/// @pre check(application, deck) has passed
[[nodiscard]] Result<void> look_at_step(const Application& application, const io::Deck& deck,
                                        const Context& context, const WantedBlocks& wanted,
                                        const OnGraph& look);

}  // namespace thalweg::app
