// SPDX-License-Identifier: MIT
#include "command_lulesh.hpp"

#include <fmt/format.h>

#include <thalweg/app/command_line.hpp>
#include <thalweg/app/lone_rank.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/io/same_file.hpp>
#include <thalweg/lulesh/options.hpp>
#include <thalweg/lulesh/run.hpp>

#include "on_ranks.hpp"

namespace thalweg {

namespace {

Result<lulesh::RunFacts> run(const std::vector<std::string>& words, app::Runtime& runtime,
                             Logger& log) {
  const auto memory_bytes = runtime.context({}).memory_bytes;
  const auto options = lulesh::parse_options(words, runtime.transport().n_ranks(), memory_bytes);
  if (options.checkpoint != options.restart)
    check_new_file(runtime, "--checkpoint", options.checkpoint);
  check_new_file(runtime, "--trace", options.trace.file);
  if (!options.trace.file.empty() && !options.checkpoint.empty() &&
      io::is_same_file(options.trace.file, options.checkpoint))
    throw Error(fmt::format(
        "--trace {} and --checkpoint {} (one would replace the other); choose another name",
        options.trace.file, options.checkpoint));
  if (options.writes_vtk) {
    make_folder(runtime, options.out);
    check_no_result(
        runtime, options.out,
        [](const std::string& name) {
          return name.starts_with("lulesh_") && name.ends_with("vtu");
        },
        "choose another folder with --out");
  }
  return lulesh::run(options, context_of(runtime, options.execution, log));
}

}  // namespace

Result<Facts> run_lulesh(const std::vector<std::string>& words, app::Runtime& runtime,
                         Logger& log) {
  const auto done = run(words, runtime, log);
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
  int code = app::exit_success;
  const int common =
      on_ranks("lulesh", words, lulesh::option_help, [&](app::Runtime& runtime) -> Result<void> {
        app::warn_of_lone_rank(runtime.transport().n_ranks());
        const auto done = run(words, runtime, runtime.context({}).log);
        if (!done) return std::unexpected(done.error());
        code = lulesh::exit_code(done->clock.fault);
        return {};
      });
  return common == app::exit_success ? code : common;
}

}  // namespace thalweg
