// SPDX-License-Identifier: MIT
#include "command_miniamr.hpp"

#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include <thalweg/app/output_folder.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/io/same_file.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/miniamr/options.hpp>
#include <thalweg/miniamr/report.hpp>
#include <thalweg/miniamr/run.hpp>

#include "on_ranks.hpp"

namespace thalweg {

namespace {

/// Whether a run that is asked for these writes a file of that name, beside plotfiles.
bool writes(const miniamr::Options& options, const std::string& name) {
  return (options.reports.yaml && name == "results.yaml") ||
         (options.reports.text_file && name == "results.txt") ||
         (options.plot_freq > 0 && name.starts_with("plot."));
}

std::optional<io::FolderLock> take_folder_of_plotfiles(const miniamr::Options& options,
                                                       app::Runtime& runtime) {
  if (options.plotfile_freq == 0) return {};
  const std::string folder = options.out.empty() ? "." : options.out;
  const auto existing = options.force ? app::Existing::replace : app::Existing::beside;
  auto lock = app::take_output_folder(runtime.transport(), runtime.files(), folder, existing);
  app::remove_old_results(runtime.transport(), runtime.files(), folder, existing);
  return lock;
}

}  // namespace

Result<Facts> run_miniamr(const std::vector<std::string>& words, app::Runtime& runtime,
                          Logger& log) {
  mesh::check_n_ranks(runtime.transport().n_ranks());
  const auto memory_bytes = runtime.context({}).memory_bytes;
  const auto options = miniamr::parse_options(words, runtime.transport().n_ranks(), memory_bytes);
  if (!options.force)
    check_no_result(
        runtime, ".", [&](const std::string& name) { return writes(options, name); },
        "run in another folder, or replace results with --force");
  check_new_file(runtime, "--trace", options.trace.file, options.force);
  const std::string name = std::filesystem::path(options.trace.file).filename().string();
  if (writes(options, name) && io::is_same_file(options.trace.file, name))
    throw Error(fmt::format("--trace {} (a result of the run has this name); choose another name",
                            options.trace.file));
  if (options.reports.yaml || options.reports.text_file || options.plot_freq > 0)
    check_may_write(runtime, ".", "run in another folder");
  const auto lock = take_folder_of_plotfiles(options, runtime);
  const auto done = miniamr::run(options, context_of(runtime, miniamr::execution_of(options), log));
  if (!done) return std::unexpected(done.error());
  return Facts{{"n_steps", std::int64_t{done->n_steps}},
               {"time", done->time},
               {"n_stages", done->n_stages},
               {"total_blocks", done->total_blocks},
               {"blocks_per_stage", done->blocks_per_stage()},
               {"n_refinements", done->n_refinements},
               {"n_balances", done->n_balances},
               {"first_checksums", done->first_checksums},
               {"checksums", done->checksums},
               {"gflops", miniamr::total_gflops(*done)},
               {"total_s", done->spread(&miniamr::Measured::total_s).most},
               {"compute_s", done->spread(&miniamr::Measured::compute_s).mean},
               {"comm_s", done->spread(&miniamr::Measured::comm_s).mean},
               {"refine_s", done->spread(&miniamr::Measured::refine_s).mean}};
}

int command_miniamr(const std::vector<std::string>& words) {
  return on_ranks("miniamr", words, miniamr::option_help, run_miniamr);
}

}  // namespace thalweg
