// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include <thalweg/app/any_simulation.hpp>
#include <thalweg/app/application.hpp>
#include <thalweg/app/block_functions.hpp>
#include <thalweg/app/callback.hpp>
#include <thalweg/app/checkpoint_target.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/app/run_description.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::app {

/// How a run ended, or why it does not go on, that did not fail.
enum class RunEnd {
  finished,
  stopped,  ///< as it was asked to, or out of time or room; it has left a checkpoint to go on from
  paused,   ///< where its caller wanted to
};

/// Where a caller wants a run to pause: after the first step that reaches one of these. Steps are
/// not shortened for it, and so are the same wherever it pauses.
struct Pause {
  std::int64_t step = std::numeric_limits<std::int64_t>::max();  ///< of level 0
  double time = std::numeric_limits<double>::infinity();         ///< > 0 [time]

  bool is_at(const step::TimeState& now) const;
  /// The first step after which it may be reached. @pre !is_at(now)
  /// @param max_growth  of dt from step to step, at most; > 1
  std::int64_t next_stop(const step::TimeState& now, double max_growth) const;
};

/// A run of a deck that has begun: what `run` in driver.hpp does, piece by piece. All but
/// simulation() is collective, and given the same on all ranks.
class DeckRun {
 public:
  virtual ~DeckRun() = default;

  /// Write what is due at the start, once, before the run is advanced. One that goes on first
  /// renames what was written after its checkpoint: see supersede_results.
  /// @param description  what the log says of program and machine; none: nothing
  /// @errors as run; the run is then over. Throws Error, on all ranks alike, where it would go on
  /// with a series of other columns; nothing is changed then
  [[nodiscard]] virtual Result<void> start(
      const std::optional<RunDescription>& description = {}) = 0;
  /// For who looks between two pieces; not to be advanced.
  virtual AnySimulation& simulation() = 0;
  /// Add to what is done between steps, after what the application does and before output; from a
  /// callback, too, and then from the next step on. Callback::at_start has a meaning until the run
  /// is started.
  virtual void add(Callback callback) = 0;
  /// Go on to a pause or to the end, and write what is due on the way. A run that has stopped may
  /// go on.
  /// @errors as run; the run is then over, but where a callback failed, on all ranks: those after
  /// it are not called, and the output of that step is written
  [[nodiscard]] virtual Result<RunEnd> advance(const Pause& pause = {}) = 0;
  /// Write a checkpoint between two pieces, unless the newest is of this step.
  /// @return its path  @pre the run is started, and has a folder for results
  /// @errors on all ranks alike; older ones are as they were
  [[nodiscard]] virtual Result<std::string> write_checkpoint() = 0;
  /// What a plotfile at a path holds where the deck says it, with that deck beside it; a first line
  /// of that names functions of whole blocks that the run has, too.
  virtual PlotRequest plot_request(const std::string& path) const = 0;
};

/// Begin a run: build the mesh, or read the checkpoint. Nothing is written before it is started.
/// Collective.
/// @param context  as for run; what it refers to outlives the run
/// @param functions  beside those of the problem; the same on all ranks
/// @pre, @errors as run
Result<std::unique_ptr<DeckRun>> begin_run(const Application& application, const io::Deck& deck,
                                           const Context& context, const std::string& folder,
                                           const std::optional<Checkpoint>& from = {},
                                           BlockFunctions functions = {});

}  // namespace thalweg::app
