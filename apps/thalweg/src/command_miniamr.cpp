// SPDX-License-Identifier: MIT
#include "command_miniamr.hpp"

#include <filesystem>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/output_folder.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/io/same_file.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/miniamr/options.hpp>
#include <thalweg/miniamr/refinement_report.hpp>
#include <thalweg/miniamr/report.hpp>
#include <thalweg/miniamr/run.hpp>

#include "on_ranks.hpp"

namespace thalweg {

namespace {

/// Whether a run calls a plot file so: "plot." and digits.
bool is_plot_name(const std::string& name) {
  constexpr std::string_view stem = "plot.";
  return name.starts_with(stem) && name.size() > stem.size() &&
         name.find_first_not_of("0123456789", stem.size()) == std::string::npos;
}

/// Whether a run that is asked for these writes a file of that name, beside plotfiles.
bool writes(const miniamr::Options& options, const std::string& name) {
  return (options.reports.yaml && name == "results.yaml") ||
         (options.reports.text_file && name == "results.txt") ||
         (options.plot_freq > 0 && is_plot_name(name));
}

/// Whether a run that has ended after so many timesteps has written a plot file of that name.
bool has_written(const miniamr::Options& options, const std::string& name, int n_steps) {
  for (int step = 0; step <= n_steps; step += options.plot_freq)
    if (name == miniamr::plot_name(step, options.timesteps())) return true;
  return false;
}

/// Remove the plot files of an older run, of which this one has written over some. Of a link, the
/// link. Folders and pipes stay.
Result<void> remove_older_plots(const miniamr::Options& options, int n_steps,
                                io::FileSystem& files) {
  const auto names = files.list(".");
  if (!names) return std::unexpected(names.error());
  for (const std::string& name : *names) {
    if (!is_plot_name(name) || has_written(options, name, n_steps)) continue;
    const auto there = files.status(name);
    if (!there || (*there && (*there)->kind == io::FileStatus::Kind::directory)) continue;
    if (auto gone = files.remove(name); !gone) return gone;
  }
  return {};
}

/// What the measurements of all ranks say together.
struct MeasuredOfAll {
  double gflops = 0;
  double total_s = 0;
  double compute_s = 0;
  double comm_s = 0;
  double refine_s = 0;
};

/// The same on all ranks; only rank 0 has the measurements.
MeasuredOfAll measured_of_all(app::Runtime& runtime, const miniamr::RunFacts& facts) {
  using miniamr::Measured;
  MeasuredOfAll all;
  if (runtime.rank() == Rank{0})
    all = {.gflops = miniamr::total_gflops(facts),
           .total_s = facts.spread(&Measured::total_s).most,
           .compute_s = facts.spread(&Measured::compute_s).mean,
           .comm_s = facts.spread(&Measured::comm_s).mean,
           .refine_s = facts.spread(&Measured::refine_s).mean};
  return flow::broadcast(runtime.transport(), all);
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
  if (options.force && options.plot_freq > 0) {
    const auto removed = app::check_on_all_ranks(
        runtime.transport(), runtime.rank() == Rank{0}
                                 ? remove_older_plots(options, done->n_steps, runtime.files())
                                 : Result<void>{});
    if (!removed) return std::unexpected(removed.error());
  }
  const MeasuredOfAll measured = measured_of_all(runtime, *done);
  return Facts{{"n_steps", std::int64_t{done->n_steps}},
               {"time", done->time},
               {"n_stages", done->n_stages},
               {"total_blocks", done->total_blocks},
               {"blocks_per_stage", done->blocks_per_stage()},
               {"n_refinements", done->n_refinements},
               {"n_balances", done->n_balances},
               {"first_checksums", done->first_checksums},
               {"checksums", done->checksums},
               {"gflops", measured.gflops},
               {"total_s", measured.total_s},
               {"compute_s", measured.compute_s},
               {"comm_s", measured.comm_s},
               {"refine_s", measured.refine_s}};
}

int command_miniamr(const std::vector<std::string>& words) {
  return on_ranks("miniamr", words, miniamr::option_help, run_miniamr);
}

}  // namespace thalweg
