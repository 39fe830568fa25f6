// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <string>
#include <vector>

#include <thalweg/app/application.hpp>
#include <thalweg/app/virtual_program.hpp>

namespace thalweg::app {

/// Exit codes of the program.
enum ExitCode : int {
  exit_success = 0,
  exit_difference = 1,   ///< `thalweg diff` found one
  exit_bad_request = 2,  ///< nothing was started
  exit_failure = 3,      ///< the run failed after it had started
  exit_stopped = 75,     ///< it was told to stop and left a checkpoint; EX_TEMPFAIL of sysexits.h
};

/// A command of a program beside those that every program has.
struct Command {
  std::string name;
  std::string doc;                                          ///< one sentence, for --help
  std::function<int(const std::vector<std::string>&)> run;  ///< words behind its name; exit code
  /// The same words on so many virtual ranks, where `predict` may predict its steps; it understands
  /// --model NAME and --threads N. @errors throws Error
  std::function<VirtualProgram(const std::vector<std::string>& words, int n_ranks)> on_virtual{};
};

/// A program that runs decks for its applications.
struct Program {
  std::string name;                       ///< as it is called
  std::string doc;                        ///< one sentence
  std::string version;                    ///< what --version prints behind the name
  std::vector<Application> applications;  ///< at least one; a deck that names none is for the first
  std::vector<Command> commands{};
  std::string examples{};  ///< command lines below the help
};

/// What main of a program does: run, params, hash, diff, graph, predict, tune, calibrate, trace,
/// and its own commands.
///
///     int main(int argc, char** argv) {
///       return thalweg::app::run_command_line(argc, argv, {.name = "waves", ...});
///     }
///
/// Starts and ends MPI where a command needs it. Returns the exit code; errors have been printed.
int run_command_line(int argc, char** argv, const Program& program);

}  // namespace thalweg::app
