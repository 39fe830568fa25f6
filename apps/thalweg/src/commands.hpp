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
  bool dry_run = false;  ///< say what would be run and what it takes
};

/// How a result is written.
enum class OutputFormat { text, json };

/// What `thalweg trace export` was asked for.
struct TraceExport {
  std::string trace;
  std::string format;
  std::optional<std::string> target;
};

/// What `thalweg graph` was asked for.
struct GraphRequest {
  std::string deck;
  std::vector<std::string> overrides;  ///< "section.key=value"
  std::optional<std::string> model;
  std::optional<int> threads;
  int n_ranks = 1;
  std::optional<int> rank;                   ///< none: all
  OutputFormat format = OutputFormat::text;  ///< text: the language of Graphviz
  std::optional<std::string> target;         ///< none: standard output
};

// Each command prints its result or its errors and returns the exit code.

/// Say, once for all ranks, what is wrong with the words behind `thalweg run`.
int command_wrong_run(const std::string& error);
/// Run a deck on all ranks.
int command_run(const RunRequest& request);
/// Run the proxy application. @param words  its options, which are the reference program's
int command_miniamr(const std::vector<std::string>& words);
/// Print one hash over the blocks of a plotfile.
int command_hash(const std::string& path);
/// Print the first difference of two plotfiles.
int command_diff(const std::string& a, const std::string& b);
/// Print all parameters of decks.
int command_params();
/// Print what a trace says: where time went and why.
int command_trace_summary(const std::string& path, OutputFormat format);
/// Write a trace in another format.
int command_trace_export(const TraceExport& request);
/// Write the graph of a deck's first step, on so many ranks, without running it.
int command_graph(const GraphRequest& request);

}  // namespace thalweg
