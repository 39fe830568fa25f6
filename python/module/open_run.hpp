// SPDX-License-Identifier: MIT
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <thalweg/app/any_simulation.hpp>
#include <thalweg/app/application.hpp>
#include <thalweg/app/block_functions.hpp>
#include <thalweg/app/callback.hpp>
#include <thalweg/app/deck_run.hpp>
#include <thalweg/app/job.hpp>
#include <thalweg/app/local_blocks.hpp>
#include <thalweg/app/requests.hpp>
#include <thalweg/app/runtime.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/io/folder_lock.hpp>

namespace thalweg::python {

namespace nb = nanobind;

/// Stops a run between two steps where a signal, as that of Ctrl-C, has raised an exception, or
/// where its handler has asked for one.
class Interrupts final : public app::Requests {
 public:
  app::Request take() override;

  bool is_asked = false;
  std::optional<nb::python_error> error;
};

/// Where a run writes what it says.
enum class Printed { warnings, everything };

/// A run of a deck as Python has it: checked when it is made, begun when it is first used.
///
/// It has communicators of its own, so that several can be open. A failure in the middle of a run
/// is an exception on one rank, and ends all of several. @threads each function holds the
/// interpreter's lock when it is called; the lock is free while steps are made
class OpenRun {
 public:
  /// Load and check, and take the folder for results. Collective.
  /// @param request  where it names no folder, nothing is written, whatever the deck says
  /// @param communicator  see comm::World
  /// @errors throws Error with everything that is wrong with the request, on all ranks alike
  OpenRun(const app::RunRequest& request, Printed printed, std::optional<int> communicator);

  /// This process among those that run it, and how many these are.
  int rank() const { return rank_; }
  int n_ranks() const { return n_ranks_; }

  /// The simulation, between two steps; the mesh is built when this is first called. Collective
  /// then.
  app::AnySimulation& simulation() { return begun().simulation(); }
  /// Where it stands; these do not build the mesh.
  std::int64_t n_steps();
  double time();
  std::vector<std::string> fields() const { return set_up()->component_names(); }
  /// Names of the fields that follow from these.
  std::vector<std::string> derived_fields() const { return set_up()->derived_names(); }
  /// The group of each of these, by which several are asked for at once; "" of one that has none.
  std::vector<std::string> derived_groups() const { return set_up()->derived_groups(); }
  /// The resolved deck, as TOML.
  std::string deck() const { return job_->deck.to_toml(); }

  /// Let functions of whole blocks change the initial state, tag cells, be a source, or limit dt:
  /// see app::BlockFunctions. They are called one at a time, by any worker.
  /// @param f  initial(cells), tag(cells) -> bytes, source(cells, dt),
  /// longest_dt(cells) -> float @pre not none
  /// @errors std::runtime_error where the run has begun
  void set_initial(nb::callable f);
  void set_tags(nb::callable f);
  void set_source(nb::callable f);
  void set_longest_dt(nb::callable f);

  /// Call f() after each so many steps of level 0, on all ranks.
  void every(std::int64_t n_steps, nb::callable f);
  /// Go on to a pause or to the end. Collective. Returns "finished", "stopped" or "paused".
  std::string advance(const app::Pause& pause);
  /// Say whether to stop between two steps, where KeyboardInterrupt is raised then; a handler of
  /// signals may do so while steps are made.
  void set_interrupted(bool is_interrupted) { interrupts_.is_asked = is_interrupted; }
  /// The integrals over the domain by name: of each component, and of the derived fields that have
  /// one, as series.csv has them. Collective.
  std::vector<std::pair<std::string, double>> totals();
  /// Write a plotfile of these fields of the state and these derived ones, or of those that the
  /// deck names. Collective.
  void write_plotfile(const std::string& path, bool force,
                      const std::optional<std::vector<std::string>>& fields,
                      const std::optional<std::vector<std::string>>& derived);
  /// Write a checkpoint into the folder for results; returns its path. Collective.
  /// @errors throws Error where there is none
  std::string write_checkpoint();

  /// Where the cells of this rank are.
  app::LocalBlocks blocks() { return simulation().local_blocks(); }
  /// A component of a block as it lies in memory, read-only: (nx[, ny[, nz]]). Keeps the memory.
  /// @param self  the Python object of this run  @param revision  of blocks() that the block is of
  /// @errors std::runtime_error where the mesh has changed since
  nb::ndarray<nb::numpy, const double> array(nb::handle self, const app::LocalBlock& block,
                                             std::uint64_t revision, int component,
                                             bool with_ghosts);

  /// End the run, and give back its memory where no rank has an array of it; called again, when
  /// that is gone. Collective.
  void close();
  /// Whether its memory, and so its communicators, are still there.
  bool has_memory() const { return runtime_.has_value(); }

 private:
  /// What the thread that runs it is at.
  enum class At { rest, steps, call };
  /// Is there again at the end of a scope.
  struct Back {
    At& at;
    At before;
    ~Back() { at = before; }
  };

  app::DeckRun& begun();
  // Whether it can still be used, and the mesh was not built.
  bool is_at_start() const { return !run_ && !is_closed_ && failure_.empty() && at_ == At::rest; }
  Result<void> begin();
  // What f returns, called without the interpreter's lock.
  template <class F>
  auto in_steps(F f);
  Result<void> call(const nb::callable& f, std::int64_t n_steps);
  void check_open() const;
  void check_not_begun() const;
  // What the deck asks for.
  std::unique_ptr<app::AnySetup> set_up() const;
  // Take functions of blocks in place of those there are. Throws Error where these equations have
  // no place for one of them.
  void take(app::BlockFunctions functions);
  // Do what a task does with the interpreter's lock: what it raises fails the task.
  template <class F>
  void in_task(const char* name, F f);
  // The cells as Python has them; what it keeps of them is its own.
  static nb::object lend(const app::BlockCells& cells);
  [[noreturn]] void fail(const Failure& why);

  std::vector<app::Application> applications_;
  std::optional<app::Runtime> runtime_;
  std::optional<Logger> log_;
  std::optional<app::Job> job_;
  std::string folder_;  // of results; "": none
  std::optional<io::FolderLock> lock_;
  Interrupts interrupts_;
  std::optional<nb::python_error> error_;  // of a function that was called between steps
  std::string failure_;                    // after which it cannot go on
  At at_ = At::rest;
  std::thread::id caller_;  // at At::call: of the function
  bool is_closed_ = false;
  int n_arrays_ = 0;  // that Python has
  int rank_ = 0;
  int n_ranks_ = 1;
  std::vector<app::Callback> waiting_;  // until it begins
  app::BlockFunctions functions_;       // until it begins; they call these:
  nb::object initial_, tags_, source_, longest_dt_;
  std::optional<nb::python_error> raised_;  // by one of them
  std::unique_ptr<app::DeckRun> run_;
};

}  // namespace thalweg::python
