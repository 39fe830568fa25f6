// SPDX-License-Identifier: MIT
#include "command_lulesh.hpp"

#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <thalweg/app/command_line.hpp>
#include <thalweg/app/lone_rank.hpp>
#include <thalweg/app/requests.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/io/same_file.hpp>
#include <thalweg/lulesh/options.hpp>
#include <thalweg/lulesh/run.hpp>

#include "on_ranks.hpp"

namespace thalweg {

namespace {

/// The options of a run whose files can be written. @errors throws Error, on all ranks alike
lulesh::Options checked_options(const std::vector<std::string>& words, app::Runtime& runtime) {
  const auto memory_bytes = runtime.context({}).memory_bytes;
  auto options = lulesh::parse_options(words, runtime.transport().n_ranks(), memory_bytes);
  if (!io::is_same_file(options.checkpoint, options.restart))
    check_new_file(runtime, "--checkpoint", options.checkpoint, options.force);
  check_new_file(runtime, "--trace", options.trace.file, options.force);
  const auto check_trace = [&](std::string_view option, const std::string& file) {
    if (options.trace.file.empty() || file.empty() || !io::is_same_file(options.trace.file, file))
      return;
    throw Error(
        fmt::format("--trace {} and {} {} (one would replace the other); choose another name",
                    options.trace.file, option, file));
  };
  check_trace("--checkpoint", options.checkpoint);
  check_trace("--restart", options.restart);
  if (options.writes_vtk) {
    make_folder(runtime, options.out);
    check_no_result(
        runtime, options.out,
        [](const std::string& name) {
          return name.starts_with("lulesh_") && name.ends_with("vtu");
        },
        "choose another folder with --out");
  }
  return options;
}

}  // namespace

Result<Facts> run_lulesh(const std::vector<std::string>& words, app::Runtime& runtime,
                         Logger& log) {
  const auto options = checked_options(words, runtime);
  const auto done = lulesh::run(options, context_of(runtime, options.execution, log));
  if (!done) return std::unexpected(done.error());
  const bool is_good = lulesh::exit_code(done->clock.fault) == 0;
  return Facts{{"n_cycles", done->n_cycles},
               {"time", done->clock.time},
               {"dt", done->clock.dt},
               {"fault", is_good ? std::string() : lulesh::fault_line(done->clock)},
               {"origin_energy", done->origin_energy},
               {"largest_asymmetry", done->symmetry.largest},
               {"hash", fmt::format("{:016x}", done->hash)},
               {"elapsed_s", done->elapsed_s}};
}

int command_lulesh(const std::vector<std::string>& words) {
  return on_ranks("lulesh", words, lulesh::option_help, [&](app::Runtime& runtime) -> Result<int> {
    app::warn_of_lone_rank(runtime.transport().n_ranks());
    const auto options = checked_options(words, runtime);
    auto context = context_of(runtime, options.execution, runtime.context({}).log);
    // Without a checkpoint a signal ends the run as any program.
    std::optional<app::SignalRequests> requests;
    if (!options.checkpoint.empty()) context.requests = &requests.emplace();
    const auto done = lulesh::run(options, context);
    if (!done) return std::unexpected(done.error());
    return done->is_stopped ? app::exit_stopped : lulesh::exit_code(done->clock.fault);
  });
}

}  // namespace thalweg
