// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>
#include <vector>

#include <thalweg/taskbench/task_graph.hpp>

namespace thalweg::taskbench {

/// What a run of a set of graphs amounts to.
struct Totals {
  long long tasks = 0;
  long long dependencies = 0;
  long long local_dependencies = 0;  ///< within a node, if points are spread in blocks
  long long flops = 0;
  long long bytes = 0;
  long long local_transfer = 0;     ///< [B]
  long long nonlocal_transfer = 0;  ///< [B]
};

/// The graphs of a command line in Task Bench's language, and its report in Task Bench's words.
struct App {
  std::vector<TaskGraph> graphs;
  long nodes = 0;   ///< for the estimate of transfers between nodes; 0: none
  int verbose = 0;  ///< 1: list dependencies; 2: and who depends on whom

  /// Read options; argv[0] is skipped.
  /// @errors Error where an option is unknown, has no or a wrong value, or a graph makes no sense
  App(int argc, char** argv);

  /// What there is to do. @pre n_nodes >= 0
  Totals totals() const;
  /// The lines printed before a run.
  std::string description() const;
  /// The lines printed after it, which scripts that compute METG read.
  std::string report(double elapsed_seconds) const;

  void display() const;
  void report_timing(double elapsed_seconds) const;
};

/// The options of App, one a line, for a help text.
std::string option_help();

}  // namespace thalweg::taskbench
