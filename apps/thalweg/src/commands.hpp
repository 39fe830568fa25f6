// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace thalweg {

/// Exit codes of the program.
enum ExitCode : int {
  exit_success = 0,
  exit_difference = 1,   ///< `thalweg diff` found one
  exit_bad_request = 2,  ///< nothing was started
  exit_failure = 3,      ///< the run failed after it had started
  exit_stopped = 75,     ///< it was told to stop and left a checkpoint; EX_TEMPFAIL of sysexits.h
};

/// What `thalweg run` was asked for.
struct RunRequest {
  std::string deck;                    ///< empty: that of the checkpoint
  std::vector<std::string> overrides;  ///< "section.key=value"
  std::optional<std::string> model;
  std::optional<int> threads;
  std::optional<std::string> folder;
  std::optional<std::string> restart;  ///< path of a checkpoint, or "latest"
  bool force = false;
};

// Each command prints its result or its errors and returns the exit code.

/// Say, once for all ranks, what is wrong with the words behind `thalweg run`.
int command_wrong_run(const std::string& error);
/// Run a deck on all ranks.
int command_run(const RunRequest& request);
/// Print one hash over the blocks of a plotfile.
int command_hash(const std::string& path);
/// Print the first difference of two plotfiles.
int command_diff(const std::string& a, const std::string& b);
/// Print all parameters of decks.
int command_params();

}  // namespace thalweg
