// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <thalweg/app/any_simulation.hpp>
#include <thalweg/app/block_functions.hpp>
#include <thalweg/app/callback.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/app/statistics.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::app {

/// What a deck asks for, checked: a problem and settings of equations that the caller need not
/// know.
class AnySetup {
 public:
  virtual ~AnySetup() = default;

  virtual const step::TimeSettings& time() const = 0;
  virtual int max_level() const = 0;
  /// Whether something says where to refine; else all stays on level 0.
  virtual bool has_tags() const { return true; }
  /// Whether new blocks of a run ask for the initial state there.
  virtual bool asks_initial_state() const { return false; }
  /// Whether something acts on states beside the fluxes, and nothing says how long steps may be
  /// for it.
  virtual bool has_sources_without_limit() const { return false; }
  /// What of the deck may not be meant so, although it can be run: a sentence each, for warnings.
  virtual std::vector<std::string> warnings() const { return {}; }
  /// What the cells of level 0 take on all ranks together [bytes].
  virtual double root_bytes() const = 0;
  /// What the mesh around the initial data takes at least, as samples of it say, where that is more
  /// than enough; else all zero.
  virtual SampledMesh sampled_mesh(double enough_bytes) const = 0;
  /// How steps are made, on one line: a run does not go on from a checkpoint with another scheme.
  virtual const std::string& scheme_name() const = 0;
  /// Names of the components, as in plotfiles.
  virtual std::vector<std::string> component_names() const = 0;
  /// Names of the derived fields that plotfiles may have beside them; of no groups.
  virtual std::vector<std::string> derived_names() const { return {}; }
  /// The group of each of these, "" of one that has none.
  virtual std::vector<std::string> derived_groups() const { return {}; }
  /// Take functions of whole blocks beside those of the problem.
  /// @errors throws Error where the equations have no place for one that is there
  virtual void take(BlockFunctions functions) = 0;
  /// Build the mesh around the initial data, or go on from a checkpoint. Collective.
  /// @param from  null: from the start
  /// @errors as Simulation::make
  virtual Result<std::unique_ptr<AnySimulation>> simulation(const Context& context,
                                                            const Checkpoint* from,
                                                            OnStep on_step) const = 0;
  /// The same, to ask what it takes before it is advanced: the graph of a step, if it is large, is
  /// not made until then. Collective.
  virtual Result<std::unique_ptr<AnySimulation>> simulation_to_inspect(
      const Context& context, const Checkpoint* from) const {
    return simulation(context, from, {});
  }
  /// What the tags around the initial data ask for; nothing where the mesh does not depend on data.
  /// Takes memory for one block's cells at a time, but of equations with faces for all levels but
  /// the last. @pre one rank   @errors as Simulation::make
  virtual Result<WantedBlocks> wanted_blocks(const Context& context) const = 0;
  /// The same mesh, from what was wanted on all ranks of any number, with the graph of its step and
  /// without memory for its cells: to be inspected, not to be advanced. Collective.
  virtual Result<std::unique_ptr<AnySimulation>> simulation_without_cells(
      const Context& context, const WantedBlocks& wanted) const = 0;
};

/// One of the problems of an application: a value of problem.name, with keys of its own.
struct ProblemChoice {
  std::string name;
  std::string doc;                          ///< one sentence
  std::vector<io::Parameter> parameters{};  ///< their names begin with "problem."
  /// Of other keys, where the problem is best solved with others than the usual ones: its sides.
  std::vector<std::pair<std::string, io::DeckValue>> defaults{};
};

/// A set of equations with the problems that are solved with them, as `thalweg run` runs it.
///
/// A value: a program has a list of them, and hands it to run_command_line.
struct Application {
  std::string name;                         ///< application.name in a deck
  std::string doc;                          ///< one sentence
  std::vector<io::Parameter> parameters{};  ///< of all its problems, beside the shared ones
  std::vector<ProblemChoice> problems{};    ///< where there are several, a deck names one
  std::vector<std::string> derived{};       ///< what output.derived may name; none: nothing
  std::vector<std::string> without{};  ///< shared keys that mean nothing to it; "mesh.": a section
  std::string axes = "xyz";            ///< of its plotfiles, a letter each
  /// Of other keys, where it would refuse the usual ones: those of a problem go before them.
  std::vector<std::pair<std::string, io::DeckValue>> defaults{};
  /// Check a deck and make a problem and settings of it; made by set_up_in. What it makes keeps no
  /// reference to the deck.
  /// @errors throws Error listing everything that does not go together; another exception is taken
  /// for one, as no step has been made
  std::function<std::unique_ptr<AnySetup>(const io::Deck&)> set_up{};
  /// What to do between steps beside output, as a deck asks for it. The deck lives as long as what
  /// is returned; what else a callback uses it captures by value.
  std::function<std::vector<Callback>(const io::Deck&)> callbacks{};
};

/// What an application makes of a deck.
/// @errors throws Error, also for any other exception of Application::set_up, and where it returns
/// nothing
std::unique_ptr<AnySetup> set_up(const Application& application, const io::Deck& deck);

/// The parameters that all applications share.
std::vector<io::Parameter> shared_parameters();

/// All parameters of an application with one of its problems, in the order in which they are
/// listed: application.name, problem.name and its keys, the application's own, the shared ones.
/// @param problem  "": those of no problem
std::vector<io::Parameter> parameters_of(std::span<const Application> applications,
                                         const Application& application, std::string_view problem);

/// Load a deck for the application that it names, the first if it names none, and for the problem
/// that it must name if the application has several.
/// @errors throws Error listing everything that is wrong, see io::Deck::load, or only that there is
/// no such application; a key of another problem or application is refused with the name of what
/// has it
io::Deck load_deck(std::span<const Application> applications, std::string_view text,
                   std::string_view file_name, std::span<const std::string> overrides = {});

/// The application of a deck that load_deck has loaded.
const Application& application_of(std::span<const Application> applications, const io::Deck& deck);

}  // namespace thalweg::app
